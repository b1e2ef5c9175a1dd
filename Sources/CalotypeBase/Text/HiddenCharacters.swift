extension Unicode.Scalar {
    /// Whether the character is invisible and changes the text around it: a control, a separator of lines, or a format
    /// character, such as a mark that changes the direction of a terminal's text.
    package var isHidden: Bool {
        if value < 0x7F { return value < 0x20 }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The character in a string of JSON, by its numbers in UTF-16: `\u202e`.
    package var escapedForJSON: String {
        String(self).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
        }.joined()
    }
}

extension String {
    /// The text of a JSON document without hidden characters, which only its strings have.
    package var escapedInJSON: String {
        guard unicodeScalars.contains(where: { $0.isHidden }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isHidden { text += scalar.escapedForJSON } else { text.unicodeScalars.append(scalar) }
        }
    }
}
