package import CalotypeHTTP
package import Foundation

/// The lines of stored metadata, read one by one. They are raw bytes, because field values need not be UTF-8.
package struct StoredLines {
    package typealias Line = ArraySlice<UInt8>

    private var rest: ArraySlice<Line>

    /// Splits the data into lines. Returns `nil` if the last line is unterminated, or if there is a carriage return, which
    /// `appendLine` never writes.
    package init?(_ data: Data) {
        guard data.last == 0x0A, !data.contains(0x0D) else { return nil }
        rest = Array(data).split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
    }

    package var peek: Line? { rest.first }
    package mutating func next() -> Line? { rest.popFirst() }
    package func starts(with prefix: String) -> Bool { rest.first?.starts(with: prefix.utf8) == true }

    /// Returns the words after `name` in the next line, or `nil` if the line does not begin with `name` or if the
    /// number of these words is outside `counts`.
    package mutating func words(_ name: String, _ counts: ClosedRange<Int>) -> [Line]? {
        guard let words = next()?.split(separator: 0x20), counts.contains(words.count - 1),
            words[0].elementsEqual(name.utf8)
        else { return nil }
        return Array(words.dropFirst())
    }

    /// Reads "Name: value" lines up to an empty line or the end. Returns `nil` if a line is malformed.
    package mutating func fields() -> HTTPFields? {
        var fields: [HTTPFields.Field] = []
        while let line = peek, !line.isEmpty {
            guard let (name, value) = line.nameAndValue else { return nil }
            fields.append(HTTPFields.Field(name: name, value: value))
            _ = next()
        }
        return HTTPFields(fields)
    }
}

extension StoredLines.Line {
    /// The text of a word or line written by this library, which is ASCII.
    package var text: String { String(decoding: self, as: UTF8.self) }

    /// A number of bytes; `nil` for other text, and for 2⁶⁰ and more, so that lengths can be added.
    package var length: Int? { ByteString(bytes: self).asDigits.flatMap { $0 < 1 << 60 ? $0 : nil } }

    /// A time in seconds since 1970; `nil` for other text, and for one that a date cannot state.
    package var time: Double? { Double(text).flatMap { HTTPDate.years.contains($0) ? $0 : nil } }

    package var nameAndValue: (CaselessString, ByteString)? {
        guard let colon = indices.dropLast().first(where: { self[$0] == 0x3A && self[$0 + 1] == 0x20 }) else {
            return nil
        }
        return (CaselessString(ByteString(bytes: self[..<colon])), ByteString(bytes: self[(colon + 2)...]))
    }
}

extension Data {
    /// Appends a line. Line ends inside `line`, which HTTP forbids in fields, become spaces.
    package mutating func appendLine(_ line: ByteString) {
        append(contentsOf: line.withBytes { bytes in bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } })
        append(0x0A)
    }

    package mutating func appendLines(of fields: HTTPFields) {
        for field in fields { appendLine("\(field.name): \(field.value)") }
    }
}
