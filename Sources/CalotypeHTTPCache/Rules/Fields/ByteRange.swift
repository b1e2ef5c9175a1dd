internal import CalotypeHTTP

/// A Range field with one range of bytes (RFC 9110 §14.1.2, §14.2).
enum ByteRange: Hashable, Sendable {
    case from(Int)
    case between(Int, Int)
    /// The last n bytes.
    case suffix(Int)

    /// - Returns: `nil` for other units, several ranges, and syntax errors, all of which a server may ignore.
    init?(_ text: ByteString) {
        var reader = FieldReader(text)
        reader.skipWhiteSpace()
        guard reader.token().map(CaselessString.init) == "bytes", reader.take(0x3D) else { return nil }
        reader.skipWhiteSpace()
        let first = reader.text(while: \.isDigit)
        guard reader.take(0x2D) else { return nil }
        let last = reader.text(while: \.isDigit)
        reader.skipWhiteSpace()
        guard reader.isAtEnd else { return nil }
        switch (first.asDigits, last.asDigits) {
        case (let start?, nil) where last.isEmpty: self = .from(start)
        case (nil, let count?) where first.isEmpty: self = .suffix(count)
        case (let start?, let end?) where start <= end: self = .between(start, end)
        default: return nil
        }
    }

    /// Returns the range in a representation of this length, or an empty range if it cannot be satisfied.
    func resolved(in length: Int) -> Range<Int> {
        switch self {
        case .from(let first): first < length ? first..<length : 0..<0
        case .between(let first, let last): first < length ? first..<(min(last, length - 1) + 1) : 0..<0
        case .suffix(let count): max(0, length - count)..<length
        }
    }

    /// The range, or `nil` if it depends on the length of the representation.
    var bounded: Range<Int>? {
        if case .between(let first, let last) = self, last < Int.max { first..<(last + 1) } else { nil }
    }
}

/// A Content-Range field in bytes (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable {
    let range: Range<Int>
    /// The complete length, or `nil` for `*`.
    let completeLength: Int?

    /// - Returns: `nil` for other units, unsatisfied ranges (`bytes */length`), contradictory ranges and syntax errors.
    init?(_ text: ByteString) {
        var reader = FieldReader(text)
        reader.skipWhiteSpace()
        guard reader.token().map(CaselessString.init) == "bytes", reader.take(0x20),
            let first = reader.text(while: \.isDigit).asDigits, reader.take(0x2D),
            let last = reader.text(while: \.isDigit).asDigits, reader.take(0x2F), first <= last, last < Int.max
        else { return nil }
        if reader.take(0x2A) {
            completeLength = nil
        } else {
            guard let length = reader.text(while: \.isDigit).asDigits, last < length else { return nil }
            completeLength = length
        }
        reader.skipWhiteSpace()
        guard reader.isAtEnd else { return nil }
        range = first..<(last + 1)
    }
}
