import Foundation

package enum Amounts {
    /// Returns "512 B", "12.3 kB" or "4.6 MB", in powers of 1,000.
    package static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var amount = Double(count) / 1000
        var units = ["kB", "MB", "GB", "TB", "PB"][...]
        while amount >= 999.95, units.count > 1 {
            amount /= 1000
            units.removeFirst()
        }
        return "\(decimal(amount, 1)) \(units.first ?? "")"
    }

    /// Returns "0.034 s", "12.3 s" or "3 min 20 s".
    package static func time(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        switch seconds {
        case ..<10: return "\(decimal(seconds, 3)) s"
        case ..<100: return "\(decimal(seconds, 1)) s"
        default: return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
        }
    }

    /// Returns the remaining time: "0:07", "12:45", "1:02:03".
    package static func clock(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds.rounded(.up), 0), 359_999))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        let tail = "\(twoDigits(whole % 60))"
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
    }

    package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    package static func decimal(_ number: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", number) }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
