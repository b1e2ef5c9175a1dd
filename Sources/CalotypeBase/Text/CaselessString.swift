/// Text that compares by its bytes, but without the case of ASCII letters: field names, schemes, hosts, media types.
///
/// No other characters are folded: U+212A, which Unicode lowercases to "k", is not a "k" here.
public struct CaselessString: Sendable {
    /// The text as it was written.
    public let spelling: ByteString

    /// Creates a string that compares without regard to the case of ASCII letters.
    public init(_ spelling: ByteString) { self.spelling = spelling }

    /// Creates a string that compares without regard to the case of ASCII letters.
    public init(_ spelling: String) { self.spelling = ByteString(spelling) }

    /// Creates a string that compares without regard to the case of ASCII letters.
    public init(_ spelling: Substring) { self.spelling = ByteString(spelling) }

    /// The text as it was written, for parsing and for people.
    public var string: String { spelling.string }

    /// The text with ASCII letters in lower case.
    public var lowercased: ByteString { spelling.lowercasedASCII }

    /// The number of bytes.
    public var count: Int { spelling.count }

    /// A Boolean value indicating whether there are no characters.
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
        // Shows where one ends if several are combined.
        hasher.combine(count)
    }

    /// By the numbers of the bytes in lower case.
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
        // Names are compared for every line of every message: by bytes that lie side by side, where they do.
        let isEqual = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in left.isFoldedEqual(to: right) }
        }
        return isEqual.flatMap { $0 } ?? zip(left, right).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// - Parameter other: of the same length.
    fileprivate func isFoldedEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in indices where self[index] != other[index] {
            if self[index].asciiLowercased != other[index].asciiLowercased { return false }
        }
        return true
    }
}

extension CaselessString: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }

    /// The text as it was written.
    public var description: String { string }
}
