extension ByteString {
    /// Returns whether the string begins with these bytes.
    public func hasPrefix(_ prefix: ByteString) -> Bool {
        withBytes { bytes in prefix.withBytes { bytes.starts(with: $0) } }
    }

    /// Returns whether the string ends with these bytes.
    public func hasSuffix(_ suffix: ByteString) -> Bool {
        withBytes { bytes in suffix.withBytes { bytes.suffix($0.count).elementsEqual($0) } }
    }

    /// Returns whether these bytes occur in the string.
    public func contains(_ byte: UInt8) -> Bool { withBytes { $0.contains(byte) } }

    /// Returns whether the bytes of `part` follow each other somewhere. Every text contains the empty one.
    public func contains(_ part: ByteString) -> Bool {
        withBytes { bytes in
            part.withBytes { part in
                var rest = bytes[...]
                while rest.count >= part.count {
                    if rest.starts(with: part) { return true }
                    rest = rest.dropFirst()
                }
                return false
            }
        }
    }

    /// Returns the string without its first bytes.
    public func dropFirst(_ count: Int = 1) -> ByteString {
        withBytes { ByteString(bytes: UnsafeRawBufferPointer(rebasing: $0.dropFirst(count))) }
    }

    /// The parts between the separators, empty ones included.
    ///
    /// - Parameters:
    ///   - separator: an ASCII character.
    ///   - maxSplits: how many separators count; those behind them belong to the last part.
    public func split(separator: UInt8, maxSplits: Int = .max) -> [ByteString] {
        withBytes { bytes in
            bytes.split(separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: false).map {
                ByteString(bytes: UnsafeRawBufferPointer(rebasing: $0))
            }
        }
    }

    /// Without spaces and tabs at either end: what HTTP calls optional white space.
    public var trimmed: ByteString {
        withBytes { bytes in
            guard let first = bytes.first, let last = bytes.last, first.isBlank || last.isBlank else { return self }
            return ByteString(bytes: bytes.withoutOuterBlanks)
        }
    }

    /// With ASCII letters in lower case, and everything else as it is.
    public var lowercasedASCII: ByteString {
        withBytes { bytes in
            bytes.contains { $0 != $0.asciiLowercased } ? ByteString(bytes: bytes.map(\.asciiLowercased)) : self
        }
    }

    /// The number, if the text consists of ASCII digits alone and an `Int` can hold it.
    public var asDigits: Int? {
        withBytes { !$0.isEmpty && $0.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } } ? Int(string) : nil
    }
}

extension UnsafeRawBufferPointer {
    /// Without spaces and tabs at either end (RFC 9110 §5.5).
    package var withoutOuterBlanks: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}

extension UInt8 {
    @inlinable package var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    /// A space or a tab.
    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }
}
