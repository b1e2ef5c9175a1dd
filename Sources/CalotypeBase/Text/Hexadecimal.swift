extension ByteString {
    /// The bytes as a text of lower-case hexadecimal digits, two for each.
    package init(hexadecimal bytes: some Sequence<UInt8>) {
        self.init(bytes: bytes.flatMap { [$0 >> 4, $0 & 15].map(\.hexadecimalDigit) })
    }
}

extension UInt8 {
    /// The lower-case digit of a number below 16.
    @inlinable package var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10
    }
}
