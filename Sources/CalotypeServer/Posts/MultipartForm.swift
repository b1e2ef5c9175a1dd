import CalotypeBase
import CalotypeHTTP
import CalotypeURLs
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// The image in a body: all of it or, of a form (`multipart/form-data`, RFC 7578), the one part that is a file.
struct MultipartForm {
    /// The bytes that a form may have besides its file.
    static let overhead = 64 << 10
    /// The maximum number of parts.
    private static let partLimit = 64
    /// The maximum length of a part's head, in bytes.
    private static let headLimit = 8 << 10

    private let boundary: ByteString

    /// - Parameter type: The value of Content-Type.
    /// - Throws: 400 if the type is a form without a valid boundary (RFC 2046 §5.1.1).
    /// - Returns: `nil` if the type is no form.
    init?(type: ByteString) throws(ServerError) {
        let parts = type.parameters
        guard parts.first?.lowercasedASCII == "multipart/form-data" else { return nil }
        guard let boundary = parts.dropFirst().value(of: "boundary"), (1...70).contains(boundary.count),
            boundary.withBytes({ $0.allSatisfy { (0x20...0x7E).contains($0) } })
        else { throw ServerError(400, "the form has no boundary of 1 to 70 characters") }
        self.boundary = boundary
    }

    /// Finds the file: the part with a file name or, if there is only one part, that.
    ///
    /// - Returns: The range of its bytes.
    /// - Throws: 400 if the form is malformed, or has no file or several.
    func file(in body: Data) throws(ServerError) -> Range<Int> {
        let line: ByteString = "--\(boundary)"
        return try Self.file(in: parts(of: body, line.bytes))
    }

    private struct Part {
        let isFile: Bool
        let content: Range<Int>
    }

    private static func file(in parts: [Part]) throws(ServerError) -> Range<Int> {
        let files = parts.filter(\.isFile)
        if files.isEmpty, parts.count == 1 { return parts[0].content }
        guard let file = files.first else { throw ServerError(400, "the form has no file") }
        guard files.count == 1 else { throw ServerError(400, "the form has \(files.count) files: send one image") }
        return file.content
    }

    private func parts(of body: Data, _ delimiter: some Collection<UInt8>) throws(ServerError) -> [Part] {
        let form = FormBytes(body), delimiter = Array(delimiter)
        let malformed = ServerError(400, "the form is malformed, or incomplete")
        // Text in front of the first delimiter has no meaning.
        guard var place = form.delimiter(delimiter, from: 0, isFirst: true) else { throw malformed }
        var parts: [Part] = []
        while true {
            if form.has([0x2D, 0x2D], at: place.end) { return parts }
            guard let start = form.lineEnd(from: place.end) else { throw malformed }
            guard parts.count < Self.partLimit else { throw ServerError(400, "the form has too many parts") }
            guard let (head, content) = form.head(from: start, limit: Self.headLimit),
                let next = form.delimiter(delimiter, from: content - 2, isFirst: false)
            else { throw malformed }
            let end = max(next.start, content)
            parts.append(Part(isFile: Self.isFile(head), content: content..<end))
            place = next
        }
    }

    private static func isFile(_ head: ByteString) -> Bool {
        for line in head.split(separator: 0x0A) {
            let sides = line.trimmed.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard sides.count == 2, sides[0].trimmed.lowercasedASCII == "content-disposition" else { continue }
            let parameters = sides[1].parameters.dropFirst()
            return parameters.value(of: "filename") != nil || parameters.value(of: "filename*") != nil
        }
        return false
    }
}

/// The bytes of a form, searched for lines.
private struct FormBytes {
    private let body: Data

    init(_ body: Data) { self.body = body }

    func has(_ bytes: [UInt8], at place: Int) -> Bool {
        place >= 0 && place + bytes.count <= body.count
            && body[body.startIndex + place..<body.startIndex + place + bytes.count].elementsEqual(bytes)
    }

    /// Finds a delimiter at the start of a line.
    ///
    /// - Returns: The end of the content in front of it, and the end of the delimiter.
    func delimiter(_ delimiter: [UInt8], from start: Int, isFirst: Bool) -> (start: Int, end: Int)? {
        if isFirst, has(delimiter, at: start) { return (start, start + delimiter.count) }
        // Never empty.
        let line = [0x0D, 0x0A] + delimiter
        guard let found = first(line, from: start) else { return nil }
        return (found, found + line.count)
    }

    /// Returns the place after the line feed that ends a delimiter's line, in which only white space may follow.
    func lineEnd(from start: Int) -> Int? {
        var place = start
        while place < body.count, [0x20, 0x09].contains(body[body.startIndex + place]) { place += 1 }
        return has([0x0D, 0x0A], at: place) ? place + 2 : nil
    }

    /// Returns the head of a part, and the place of its content.
    func head(from start: Int, limit: Int) -> (head: ByteString, content: Int)? {
        if has([0x0D, 0x0A], at: start) { return ("", start + 2) }
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard let found = first(end, from: start, within: limit) else { return nil }
        let head = body[body.startIndex + start..<body.startIndex + found]
        return (ByteString(bytes: head), found + end.count)
    }

    /// - Parameter limit: The number of bytes that are searched. The default is all.
    private func first(_ bytes: [UInt8], from start: Int, within limit: Int = .max) -> Int? {
        guard start >= 0, start <= body.count else { return nil }
        return body.withUnsafeBytes { all in
            var rest = all[start...].prefix(limit)
            while rest.count >= bytes.count, let found = rest.firstPlace(of: bytes[0]) {
                rest = rest[found...]
                if rest.starts(with: bytes) { return found }
                rest = rest.dropFirst()
            }
            return nil
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Finds a byte with the system's fast search.
    fileprivate func firstPlace(of byte: UInt8) -> Int? {
        guard !isEmpty, let base = base.baseAddress, let found = memchr(base + startIndex, Int32(byte), count) else {
            return nil
        }
        return UnsafeRawPointer(found) - base
    }
}

extension ByteString {
    /// The parts of a field's value between semicolons that are not in quotes, without the white space around them.
    fileprivate var parameters: [ByteString] {
        var isQuoted = false, isEscaped = false
        return bytes.split(omittingEmptySubsequences: false) { byte in
            defer { isEscaped = !isEscaped && isQuoted && byte == UInt8(ascii: "\\") }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }.map { ByteString(bytes: $0).trimmed }
    }
}

extension Collection<ByteString> {
    /// Returns the value of a parameter, without its quotes.
    fileprivate func value(of name: ByteString) -> ByteString? {
        for parameter in self {
            let sides = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard sides.count == 2, sides[0].trimmed.lowercasedASCII == name else { continue }
            let value = sides[1].trimmed
            guard value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
            return ByteString(bytes: value.bytes.dropFirst().dropLast())
        }
        return nil
    }
}
