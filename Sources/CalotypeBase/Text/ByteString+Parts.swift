extension ByteString {
    /// Returns whether the string begins with `prefix`.
    public func hasPrefix(_ prefix: ByteString) -> Bool {
        withBytes { bytes in prefix.withBytes { bytes.starts(with: $0) } }
    }

    /// Returns whether the string ends with `suffix`.
    public func hasSuffix(_ suffix: ByteString) -> Bool {
        withBytes { bytes in suffix.withBytes { bytes.suffix($0.count).elementsEqual($0) } }
    }

    /// Returns whether the string contains the byte.
    public func contains(_ byte: UInt8) -> Bool { withBytes { $0.contains(byte) } }

    /// Returns whether the string contains `part` as consecutive bytes. An empty part is always contained.
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

    /// Returns the string without its first `count` bytes.
    public func dropFirst(_ count: Int = 1) -> ByteString {
        withBytes { ByteString(bytes: UnsafeRawBufferPointer(rebasing: $0.dropFirst(count))) }
    }

    /// Returns the parts between separators, including empty ones.
    ///
    /// - Parameters:
    ///   - separator: An ASCII character.
    ///   - maxSplits: The maximum number of splits; the last part contains the remaining separators.
    public func split(separator: UInt8, maxSplits: Int = .max) -> [ByteString] {
        withBytes { bytes in
            bytes.split(separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: false).map {
                ByteString(bytes: UnsafeRawBufferPointer(rebasing: $0))
            }
        }
    }

    /// The string without leading and trailing spaces and tabs (HTTP's optional whitespace).
    public var trimmed: ByteString {
        withBytes { bytes in
            guard let first = bytes.first, let last = bytes.last, first.isBlank || last.isBlank else { return self }
            return ByteString(bytes: bytes.withoutOuterBlanks)
        }
    }

    /// The string with ASCII letters in lower case; other bytes are unchanged.
    public var lowercasedASCII: ByteString {
        withBytes { bytes in
            bytes.contains { $0 != $0.asciiLowercased } ? ByteString(bytes: bytes.map(\.asciiLowercased)) : self
        }
    }

    /// The text as a decimal number, or `nil` if it is empty, contains anything but digits or overflows `Int`.
    public var asDigits: Int? {
        withBytes { !$0.isEmpty && $0.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } } ? Int(string) : nil
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes without leading and trailing spaces and tabs (RFC 9110 §5.5).
    package var withoutOuterBlanks: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}

extension UInt8 {
    @inlinable package var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }
}
