package import CalotypeBase

/// HTTP dates (RFC 9110 §5.6.7), as seconds since 1970-01-01 00:00 UTC.
package enum HTTPDate {
    /// The years 0 to 9999, in seconds since 1970: all moments that a date can state.
    package static let years = -62_167_219_200.0...253_402_300_799

    /// Parses the three formats that a recipient must accept:
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate, the one in use
    ///     Sunday, 06-Nov-94 08:49:37 GMT    RFC 850; a year more than 50 years ahead belongs to the past century
    ///     Sun Nov  6 08:49:37 1994          asctime
    ///
    /// - Parameter now: The current time, for RFC 850 dates.
    /// - Returns: `nil` for other text and for days that do not exist. Weekday and letter case are ignored.
    package static func parse(_ text: ByteString, now: Double = WallClock.system.now) -> Double? {
        HTTPDateReader(text).date(now: now)
    }

    /// Returns the date as an IMF-fixdate, rounded down to a whole second. A date outside the years 0 to 9999 becomes
    /// the first or last second of that period.
    package static func format(_ seconds: Double) -> ByteString {
        let bounded = min(max(seconds.isNaN ? 0 : seconds, years.lowerBound), years.upperBound)
        let moment = Int(bounded.rounded(.down))
        let day = floorDivide(moment, 86_400)
        let time = moment - day * 86_400
        let (year, month, dayOfMonth) = civil(fromDay: day)
        let weekday = weekdays[((day + 4) % 7 + 7) % 7]
        let clock = "\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))"
        return "\(weekday), \(padded(dayOfMonth)) \(months[month - 1]) \(padded(year, to: 4)) \(clock) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func moment(day: Int, month: Int, year: Int, hour: Int, minute: Int, second: Int) -> Double? {
        // 60 is a leap second.
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        let number = dayNumber(year: year, month: month, day: day)
        guard day >= 1, civil(fromDay: number) == (year, month, day) else { return nil }
        return Double(number * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// Returns the full year for a year of two digits (RFC 9110 §5.6.7).
    static func year(ofTwoDigits short: Int, now: Double) -> Int {
        let bounded = min(max(now.isNaN ? 0 : now, years.lowerBound), years.upperBound)
        let thisYear = civil(fromDay: floorDivide(Int(bounded), 86_400)).year
        var year = thisYear - thisYear % 100 + short
        if year > thisYear + 50 { year -= 100 }
        if year < thisYear - 49 { year += 100 }
        return year
    }

    // Days since 1970-01-01 in the Gregorian calendar. The calculation uses eras of 400 years that begin on 1 March, so
    // that a leap day is the last day of a year.

    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    private static func floorDivide(_ left: Int, _ right: Int) -> Int {
        left >= 0 ? left / right : -((-left + right - 1) / right)
    }

    private static func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
