/// Text that compares by bytes and ignores the case of ASCII letters: field names, schemes, hosts, media types.
///
/// Other characters keep their case: U+212A, which Unicode lowercases to "k", does not equal "k".
public struct CaselessString: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text with its original spelling.
    public let spelling: ByteString

    /// Creates a string that ignores the case of ASCII letters.
    public init(_ spelling: ByteString) { self.spelling = spelling }

    /// Creates a string that ignores the case of ASCII letters.
    public init(_ spelling: String) { self.spelling = ByteString(spelling) }

    /// Creates a string that ignores the case of ASCII letters.
    public init(_ spelling: Substring) { self.spelling = ByteString(spelling) }

    public init(stringLiteral value: String) { self.init(value) }

    /// The text with its original spelling, for parsing and display.
    public var string: String { spelling.string }

    /// The text with its original spelling.
    public var description: String { string }

    /// The text with ASCII letters in lower case.
    public var lowercased: ByteString { spelling.lowercasedASCII }

    /// The number of bytes.
    public var count: Int { spelling.count }

    /// Whether the string is empty.
    public var isEmpty: Bool { spelling.isEmpty }
}

extension CaselessString: Hashable, Comparable {
    public static func == (left: CaselessString, right: CaselessString) -> Bool {
        guard case .text(let leftText) = left.spelling.storage, case .text(let rightText) = right.spelling.storage
        else { return left.lowercased == right.lowercased }
        return leftText.hasSameFoldedUTF8(as: rightText)
    }

    public func hash(into hasher: inout Hasher) {
        spelling.withBytes { bytes in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { folded in
                for (index, byte) in bytes.enumerated() { folded[index] = byte.asciiLowercased }
                hasher.combine(bytes: UnsafeRawBufferPointer(folded))
            }
        }
        // The count separates consecutive strings in one hash.
        hasher.combine(count)
    }

    /// Compares the strings lexicographically by the values of their lowercased bytes.
    public static func < (left: CaselessString, right: CaselessString) -> Bool {
        left.spelling.withBytes { left in
            right.spelling.withBytes { right in
                left.lazy.map(\.asciiLowercased).lexicographicallyPrecedes(right.lazy.map(\.asciiLowercased))
            }
        }
    }
}

extension String {
    fileprivate func hasSameFoldedUTF8(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        TextCosts.note(left.count)
        // Every line of every message needs this comparison: use contiguous storage if available.
        let isEqual = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in left.isFoldedEqual(to: right) }
        }
        return isEqual.flatMap { $0 } ?? zip(left, right).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// - Parameter other: A buffer of the same length.
    fileprivate func isFoldedEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in indices where self[index] != other[index] {
            if self[index].asciiLowercased != other[index].asciiLowercased { return false }
        }
        return true
    }
}
