import Foundation

/// The formats of amounts for people.
enum Amount {
    /// Returns "3.2 MB", in powers of 1,000.
    static func bytes(_ count: Int) -> String {
        var amount = Double(count)
        for unit in ["bytes", "kB", "MB"] {
            // Without this margin, rounding would give "1000.0 kB".
            if amount < 999.95 { return unit == "bytes" ? "\(count) bytes" : "\(one(amount)) \(unit)" }
            amount /= 1000
        }
        return "\(one(amount)) GB"
    }

    /// Returns "< 1 ms", "84 ms" or "2.4 s".
    static func duration(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        if milliseconds < 1 { return "< 1 ms" }
        if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
        return "\(one(milliseconds / 1000)) s"
    }

    private static func one(_ number: Double) -> String {
        number.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en_US")))
    }
}
