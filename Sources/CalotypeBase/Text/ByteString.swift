#if canImport(Glibc)
    private import Glibc
#else
    private import Darwin
#endif

/// Text from a network or a file, compared by its bytes.
///
/// Two values are equal if their bytes are, and hash accordingly. `String` considers "é" equal to "e" followed by an
/// accent, and U+212A equal to "K", which is wrong for data from a peer. The bytes need not be UTF-8 and are never
/// changed; ``string`` decodes them.
///
/// ```swift
/// let tag: ByteString? = response.fields["ETag"]
/// if tag == "\"v1\"" { … }
/// ```
public struct ByteString: Sendable, CustomStringConvertible {
    @usableFromInline
    enum Storage: Sendable {
        /// Valid UTF-8. A `String` allocates no memory for short texts and literals.
        case text(String)
        /// Other bytes, which need not be UTF-8.
        case bytes([UInt8])
    }

    @usableFromInline var storage: Storage

    /// Creates an empty string.
    public init() { self.init("") }

    /// Creates a string from the UTF-8 bytes of a text.
    public init(_ text: String) {
        var text = text
        // Strings bridged from `NSString` would slow down every comparison.
        text.makeContiguousUTF8()
        storage = .text(text)
    }

    /// Creates a string from the UTF-8 bytes of a text.
    public init(_ text: Substring) { self.init(String(text)) }

    /// Creates a string from unmodified bytes.
    public init(bytes: UnsafeRawBufferPointer) {
        TextCosts.note(bytes.count)
        storage = String(ifUTF8: bytes).map(Storage.text) ?? .bytes(Array(bytes))
    }

    /// Creates a string from unmodified bytes.
    public init(bytes: some Sequence<UInt8>) {
        self =
            bytes.withContiguousStorageIfAvailable { ByteString(bytes: UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { ByteString(bytes: $0) }
    }

    /// The bytes as text, decoded as UTF-8 if they are valid, otherwise as ISO 8859-1.
    ///
    /// Use this for parsing and display; compare the `ByteString` itself. Every call decodes invalid UTF-8 again.
    public var string: String {
        switch storage {
        case .text(let text): text
        case .bytes: withBytes { String(ifUTF8: $0) ?? String(latin1: $0) }
        }
    }

    /// The text for display; the same as ``string``.
    public var description: String { string }

    /// Calls `body` with the bytes. The pointer is valid only during the call.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        TextCosts.note(count)
        switch storage {
        case .text(var text): return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        case .bytes(let bytes): return bytes.withUnsafeBytes(body)
        }
    }

    /// Calls `body` with the bytes followed by a NUL. The pointer is valid only during the call.
    public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        switch storage {
        case .text(let text): text.withCString(body)
        case .bytes(let bytes): body(bytes.map { CChar(bitPattern: $0) } + [0])
        }
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] { withBytes { Array($0) } }

    /// The number of bytes.
    public var count: Int {
        switch storage {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }

    /// Whether the string is empty.
    public var isEmpty: Bool { count == 0 }
}

extension ByteString: Hashable, Comparable {
    @inlinable
    public static func == (left: ByteString, right: ByteString) -> Bool {
        guard case .text(let leftText) = left.storage, case .text(let rightText) = right.storage else {
            return left.hasSameBytes(as: right)
        }
        return leftText.isIdentical(to: rightText) || leftText.hasSameUTF8(as: rightText)
    }

    @usableFromInline
    func hasSameBytes(as other: ByteString) -> Bool {
        count == other.count && withBytes { left in other.withBytes { left.elementsEqual($0) } }
    }

    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        // The count separates consecutive strings in one hash.
        hasher.combine(count)
    }

    /// Compares the strings lexicographically by byte value.
    public static func < (left: ByteString, right: ByteString) -> Bool {
        left.withBytes { left in right.withBytes { left.lexicographicallyPrecedes($0) } }
    }
}

extension String {
    fileprivate init?(ifUTF8 bytes: UnsafeRawBufferPointer) {
        // This initializer repairs invalid UTF-8. Most input is ASCII and needs no comparison.
        self.init(decoding: bytes, as: UTF8.self)
        guard bytes.allSatisfy({ $0 < 0x80 }) || utf8.elementsEqual(bytes) else { return nil }
    }

    /// Decodes ISO 8859-1: each byte becomes the character with its number.
    fileprivate init(latin1 bytes: UnsafeRawBufferPointer) {
        self.init(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }

    /// Returns `true` if the strings share their storage, or are small and equal. Does not read or retain the bytes.
    // A `String` has two words on all supported platforms; equal words mean equal bytes.
    @inlinable
    func isIdentical(to other: String) -> Bool {
        unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
    }

    @usableFromInline
    func hasSameUTF8(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        TextCosts.note(left.count)
        let isEqual = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in left.isEqual(to: right) }
        }
        return isEqual.flatMap { $0 } ?? left.elementsEqual(right)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// - Parameter other: A buffer of the same length.
    fileprivate func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }
}
