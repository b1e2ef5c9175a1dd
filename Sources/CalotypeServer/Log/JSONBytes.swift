import CalotypeBase

// Parts of a JSON document in UTF-8. They have no hidden characters, whatever text they are made of.

extension [UInt8] {
    mutating func add(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func add(_ number: Int) { append(contentsOf: String(number).utf8) }

    /// Adds a member whose value is a text.
    ///
    /// - Parameter start: All that stands in front of the text, with its quotation mark.
    mutating func add(_ start: StaticString, _ text: String) {
        add(start)
        var text = text
        let isPlain = text.withUTF8 { bytes in
            guard bytes.isPlain else { return false }
            append(contentsOf: bytes)
            return true
        }
        if !isPlain { for scalar in text.unicodeScalars { addEscaped(scalar) } }
        add("\"")
    }

    private mutating func addEscaped(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x22: add("\\\"")
        case 0x5C: add("\\\\")
        default: append(contentsOf: (scalar.isHidden ? scalar.escapedForJSON : String(scalar)).utf8)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether JSON has all of these bytes as they stand. Has no early end, so that the compiler looks at many at a time.
    fileprivate var isPlain: Bool {
        var special: UInt8 = 0
        for byte in self { special |= byte < 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x5C ? 1 : 0 }
        return special == 0
    }
}
