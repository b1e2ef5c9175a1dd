internal import CalotypeBase

/// A parser for dates. It avoids Foundation for speed: a cache parses several dates per response.
struct HTTPDateReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: ByteString) {
        bytes = text.bytes
    }

    consuming func date(now: Double) -> Double? {
        let letters = bytes.prefix { $0.asciiLowercased >= 0x61 && $0.asciiLowercased <= 0x7A }.count
        guard letters > 0 else { return nil }
        position = letters
        if take(0x20) { return asctime() }
        guard take(0x2C), take(0x20), let day = number(2) else { return nil }
        return next == 0x2D ? rfc850(day, now: now) : fixdate(day)
    }

    private mutating func fixdate(_ day: Int) -> Double? {
        guard take(0x20), let month = month(), take(0x20), let year = number(4), take(0x20), let time = time(),
            isZoneAndEnd()
        else { return nil }
        return moment(day, month, year, time)
    }

    private mutating func rfc850(_ day: Int, now: Double) -> Double? {
        guard take(0x2D), let month = month(), take(0x2D), let short = number(2), take(0x20), let time = time(),
            isZoneAndEnd()
        else { return nil }
        return moment(day, month, HTTPDate.year(ofTwoDigits: short, now: now), time)
    }

    private mutating func asctime() -> Double? {
        guard let month = month(), take(0x20), let day = take(0x20) ? number(1) : number(2), take(0x20),
            let time = time(), take(0x20), let year = number(4), position == bytes.count
        else { return nil }
        return moment(day, month, year, time)
    }

    private func moment(_ day: Int, _ month: Int, _ year: Int, _ time: (Int, Int, Int)) -> Double? {
        HTTPDate.moment(day: day, month: month, year: year, hour: time.0, minute: time.1, second: time.2)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[position..<(position + digits)] {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        position += digits
        return number
    }

    private mutating func time() -> (Int, Int, Int)? {
        guard let hour = number(2), take(0x3A), let minute = number(2), take(0x3A), let second = number(2) else {
            return nil
        }
        return (hour, minute, second)
    }

    private mutating func month() -> Int? {
        guard position + 3 <= bytes.count else { return nil }
        let name = bytes[position..<(position + 3)].reduce(0) { $0 << 8 | UInt32($1.asciiLowercased) }
        position += 3
        return Self.months.firstIndex(of: name).map { $0 + 1 }
    }

    private mutating func isZoneAndEnd() -> Bool {
        guard take(0x20), position + 3 == bytes.count else { return false }
        return bytes[position...].map(\.asciiLowercased).elementsEqual("gmt".utf8)
    }

    private static let months = HTTPDate.months.map { name in
        name.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1.asciiLowercased) }
    }
}
