#if canImport(Glibc)
    private import Glibc
#else
    private import Darwin
#endif

/// Text from a network or a file, which compares by its bytes.
///
/// Two values are equal when their bytes are, and hash accordingly. `String` considers "é" equal to "e" followed by an
/// accent, and U+212A equal to "K": what a peer sends must not be compared that way. The bytes need not be UTF-8 and are
/// never changed; ``string`` is a view of them.
///
/// ```swift
/// let tag: ByteString? = response.fields["ETag"]
/// if tag == "\"v1\"" { … }
/// ```
public struct ByteString: Sendable {
    /// The bytes as text: decoded as UTF-8 if they are valid UTF-8, otherwise each byte as the character with its number.
    ///
    /// For parsing and for people. Compare the value itself, not this.
    public internal(set) var string: String
    /// A Boolean value indicating whether the bytes are not UTF-8, and `string` is the ISO 8859-1 reading of them.
    /// Bytes determine it, so that equal bytes are stored in one way only.
    @usableFromInline private(set) var isLatin1: Bool

    /// Creates the empty text.
    public init() { self.init("") }

    /// The UTF-8 bytes of a text.
    public init(_ text: String) {
        var text = text
        // Bridged strings would make every comparison slow.
        text.makeContiguousUTF8()
        string = text
        isLatin1 = false
    }

    /// The UTF-8 bytes of a text.
    public init(_ text: Substring) { self.init(String(text)) }

    /// Bytes as they came.
    public init(bytes: UnsafeRawBufferPointer) {
        // Repaired where it is not UTF-8. ASCII is by far the most, and needs no comparison.
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.allSatisfy({ $0 < 0x80 }) || text.utf8.elementsEqual(bytes) {
            string = text
            isLatin1 = false
        } else {
            string = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            isLatin1 = true
        }
    }

    /// Bytes as they came.
    public init(bytes: some Sequence<UInt8>) {
        self =
            bytes.withContiguousStorageIfAvailable { ByteString(bytes: UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { ByteString(bytes: $0) }
    }

    /// Calls `body` with the bytes. The pointer is valid during the call only.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard isLatin1 else { return withUTF8(body) }
        // Every scalar of the view is a byte.
        return string.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }.withUnsafeBytes(body)
    }

    /// Calls `body` with the UTF-8 of ``string``: the bytes themselves, or what stands for them. Equal bytes have equal
    /// ones, and those below 0x80 are the same in both.
    func withUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = string
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Calls `body` with the bytes and a NUL behind them. The pointer is valid during the call only.
    public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard isLatin1 else { return string.withCString(body) }
        return body(bytes.map { CChar(bitPattern: $0) } + [0])
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] { withBytes { Array($0) } }

    /// The number of bytes.
    public var count: Int { isLatin1 ? string.unicodeScalars.count : string.utf8.count }

    /// A Boolean value indicating whether there are no bytes.
    public var isEmpty: Bool { string.isEmpty }
}

extension ByteString: Hashable, Comparable {
    @inlinable
    public static func == (left: ByteString, right: ByteString) -> Bool {
        left.isLatin1 == right.isLatin1
            && (left.string.isIdentical(to: right.string) || left.string.hasSameUTF8(as: right.string))
    }

    public func hash(into hasher: inout Hasher) {
        withUTF8 { hasher.combine(bytes: $0) }
        // No text has this byte: the end shows where several are combined.
        hasher.combine(isLatin1 ? 0xFE : 0xFF as UInt8)
    }

    /// By the numbers of the bytes.
    public static func < (left: ByteString, right: ByteString) -> Bool {
        left.withBytes { left in right.withBytes { left.lexicographicallyPrecedes($0) } }
    }
}

extension String {
    /// Returns whether both share their storage, or are short and equal: found without reading it or counting a
    /// reference.
    // A string is two words on all platforms here, and equal words mean equal bytes.
    @inlinable
    func isIdentical(to other: String) -> Bool {
        unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
    }

    @usableFromInline
    func hasSameUTF8(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        let isEqual = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in left.isEqual(to: right) }
        }
        return isEqual.flatMap { $0 } ?? left.elementsEqual(right)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// - Parameter other: of the same length.
    fileprivate func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }
}

extension ByteString: CustomStringConvertible {
    /// For people: ``string``.
    public var description: String { string }
}
