import CalotypeBase
import Foundation

/// The name of a purge in the far store: its time in milliseconds since 1970, and a random number.
///
///     1767225600250-1f0c9a3b7d5e2468
///
/// The order of the names is that of the times.
struct FarPurgeName: Hashable, Sendable {
    let text: ByteString
    /// The time of the purge, in seconds since 1970.
    let time: Double

    init(time: Double, number: UInt64 = .random(in: 0 ... .max)) {
        let digits = String(number, radix: 16)
        let milliseconds = Self.milliseconds(at: time)
        text = "\(Self.beginning(milliseconds))-\(String(repeating: "0", count: 16 - digits.count))\(digits)"
        self.time = Double(milliseconds) / 1000
    }

    /// Reads a name. Returns `nil` for that of another object.
    init?(_ text: ByteString) {
        let parts = text.split(separator: UInt8(ascii: "-"))
        guard parts.count == 2, parts[0].count == Self.digits, let milliseconds = parts[0].asDigits,
            parts[1].count == 16,
            parts[1].withBytes({ $0.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } })
        else { return nil }
        self.text = text
        time = Double(milliseconds) / 1000
    }

    /// The beginning of the names from a time on.
    static func beginning(at time: Double) -> ByteString { beginning(milliseconds(at: time)) }

    private static func beginning(_ milliseconds: Int) -> ByteString {
        let text = String(milliseconds)
        return "\(String(repeating: "0", count: digits - text.count))\(text)"
    }

    private static func milliseconds(at time: Double) -> Int {
        min(max(Int(saturating: time * 1000), 0), 9_999_999_999_999)
    }

    /// Enough for the times until the year 2286.
    private static let digits = 13

    /// Whether a line may be that of the object. The name has its time in milliseconds.
    func isName(of line: PurgeLine) -> Bool { abs(line.time - time) < 0.01 }
}
