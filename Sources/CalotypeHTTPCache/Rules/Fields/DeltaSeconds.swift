internal import CalotypeHTTP

/// Whole seconds, as in directives and Age (RFC 9111 §1.2.2).
enum DeltaSeconds {
    /// The value for numbers that are too large: 2³¹, about 68 years.
    static let limit: Double = 2_147_483_648

    /// - Returns: `nil` for anything but digits; 2³¹ for larger numbers.
    static func parse(_ text: ByteString) -> Double? {
        guard !text.isEmpty else { return nil }
        var seconds: Double = 0
        for byte in text.bytes {
            guard byte.isDigit else { return nil }
            seconds = min(limit, seconds * 10 + Double(byte - 0x30))
        }
        return seconds
    }
}

/// The Age field (RFC 9111 §5.1).
enum AgeField {
    /// - Parameter line: The field's first line. Only its first member counts.
    /// - Returns: 0 if the field is missing or not a number.
    static func parse(_ line: ByteString?) -> Double {
        guard let line else { return 0 }
        return line.split(separator: 0x2C, maxSplits: 1).first.flatMap { DeltaSeconds.parse($0.trimmed) } ?? 0
    }
}
