import CalotypeBase
import Testing

/// The one function that percent-encodes, and the one that decodes.
struct PercentEncodingTests {
    private static let texts: [(text: ByteString, encoded: ByteString)] = [
        ("", ""), ("a-z._~09", "a-z._~09"), ("a b|c%d", "a%20b%7Cc%25d"), ("ä", "%C3%A4"),
        (ByteString(bytes: [0x00, 0xFF, 0x61]), "%00%FFa"), ("%41", "%2541"),
    ]

    @Test(arguments: texts)
    func `all bytes but the safe ones are encoded, and decoding restores them`(
        _ text: ByteString, _ encoded: ByteString
    ) {
        #expect(text.percentEncoded(except: \.isUnreserved) == encoded)
        #expect(encoded.percentDecoded == text)
    }

    @Test(
        arguments: [
            ("%41", "%41"), ("%4g%", "%254g%25"), ("100%", "100%25"), ("%%41", "%25%41"), ("%4", "%254"),
            ("a%2Fb c", "a%2Fb%20c"),
        ] as [(ByteString, ByteString)])
    func `escapes are kept on demand, and a sign without two digits is encoded`(
        _ text: ByteString, _ encoded: ByteString
    ) {
        var bytes: [UInt8] = []
        text.withBytes { bytes.appendPercentEncoded($0[...], keepsEscapes: true, except: \.isUnreserved) }
        #expect(ByteString(bytes: bytes) == encoded)
    }

    @Test(arguments: ["%", "%4", "%4g", "a%zz"] as [ByteString])
    func `a sign without two digits is not decoded`(_ text: ByteString) { #expect(text.percentDecoded == nil) }
}
