import CalotypeHTTP

extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let period = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let questionMark = UInt8(ascii: "?")
    static let openBracket = UInt8(ascii: "[")
    static let backslash = UInt8(ascii: "\\")

    var isLetter: Bool { self >= 0x41 && self <= 0x5A || self >= 0x61 && self <= 0x7A }
}

extension Span<UInt8> {
    func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
        for index in range where self[index] == byte { return index }
        return nil
    }

    func all(in range: Range<Int>, where isRight: (UInt8) -> Bool) -> Bool {
        for index in range where !isRight(self[index]) { return false }
        return true
    }

    /// Returns the range without spaces and tabs at either end.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }

    func isEqual(_ range: Range<Int>, to text: StaticString) -> Bool {
        isEqual(range, to: text) { $0 }
    }

    /// - Parameter text: The text in lower case.
    func isEqualIgnoringCase(_ range: Range<Int>, to text: StaticString) -> Bool {
        isEqual(range, to: text, \.asciiLowercased)
    }

    func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where self[left.lowerBound + offset] != self[right.lowerBound + offset] {
            return false
        }
        return true
    }

    private func isEqual(_ range: Range<Int>, to text: StaticString, _ normalize: (UInt8) -> UInt8) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for offset in text.indices where normalize(self[range.lowerBound + offset]) != text[offset] { return false }
            return true
        }
    }
}
