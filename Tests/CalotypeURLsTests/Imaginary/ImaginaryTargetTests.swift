import CalotypeBase
import Testing

@testable import CalotypeURLs

struct ImaginaryTargetTests {
    @Test(
        arguments: [
            ("/fit?key=secret", "secret"), ("/fit?a=b&key=a%2Bb+c&key=d", "a+b c"), ("/fit?%6Bey=secret", "secret"),
            ("/fit?key=", nil), ("/fit?key", nil), ("/fit?Key=secret", nil), ("/fit", nil), ("/fit?key=%zz", nil),
            ("/fit?key=a=b", "a=b"), ("/fit?key=a?b", "a?b"),
        ] as [(ByteString, ByteString?)])
    func `the key is the first parameter of its name`(target: ByteString, key: ByteString?) {
        #expect(ImaginaryTarget(target).key == key)
    }

    @Test(
        arguments: [
            ("/fit?width=1&key=secret&height=2", "/fit?width=1&key=…&height=2"), ("/fit?%6Bey=secret", "/fit?%6Bey=…"),
            ("/fit?KEY=secret", "/fit?KEY=…"), ("/fit?key=secret&key=secret", "/fit?key=…&key=…"),
            ("/fit?key=secret%zz", "/fit?key=…"), ("/fit?ke%zzy=a&%zzkey=secret", "/fit?ke%zzy=a&%zzkey=…"),
            ("/fit?a=b&amp;key=secret", "/fit?a=b&amp;key=…"), ("/fit?API-Key=secret", "/fit?API-Key=…"),
            ("/fit?+key+=secret", "/fit?+key+=…"), ("/fit?key", "/fit?key"), ("/fit?a=b", "/fit?a=b"), ("/fit", "/fit"),
            ("/fit?key=a=secret", "/fit?key=…"), ("?key=secret", "?key=…"), ("", ""), ("?", "?"), ("/fit?", "/fit?"),
        ] as [(ByteString, ByteString)])
    func `a text for logs has no key`(target: ByteString, expected: ByteString) {
        #expect(ImaginaryTarget.withoutKeys(target) == expected)
    }

    @Test func `no message has the key`() {
        for target in [
            "/fit?key=secret&width=x&height=1", "/fit?key=secret", "/pipeline?key=secret&operations=[", "/?key=secret",
            "/fit?key=secret%", "/fit?key=secret&%=", "/watermark?text=a&key=secret", "/fi?key=secret",
        ] as [ByteString] {
            let error = #expect(throws: RenditionError.self) { try rendition(target) }
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test func `a target of any bytes is read`() {
        for target in ["", "?", "&", "/?&&=&=&", "/%?%=%&%41=%4", "/fit?\u{0}=\u{0}", "/\u{ff}?\u{ff}"] as [ByteString]
        {
            let parsed = ImaginaryTarget(target)
            #expect(parsed.key == nil)
            _ = ImaginaryTarget.withoutKeys(target)
        }
    }
}
