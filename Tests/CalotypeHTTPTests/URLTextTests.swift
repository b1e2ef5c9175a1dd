import CalotypeBase
import CalotypeHTTP
import Foundation
import Testing

/// RFC 3986: the bytes that each component may contain.
struct URLTextTests {
    // The first one used to become ?sig=a%252Bb%253D&n=%5B1%5D.
    @Test(
        arguments: [
            ("http://h/a?sig=a%2Bb%3D&n=[1]", "http://h/a?sig=a%2Bb%3D&n=%5B1%5D"),
            ("http://h/a b%20c", "http://h/a%20b%20c"), ("http://h/a%2Fb|c", "http://h/a%2Fb%7Cc"),
            ("http://h/100%", "http://h/100%25"), ("http://h/%zz%2f%4", "http://h/%25zz%2f%254"),
            ("http://h/{a}%7B?\"<>\\^`{|}%22", "http://h/%7Ba%7D%7B?%22%3C%3E%5C%5E%60%7B%7C%7D%22"),
            ("http://h/\u{FC}%C3%BC", "http://h/%C3%BC%C3%BC"), ("http://h/a?b?c/d:e@f", "http://h/a?b?c/d:e@f"),
            ("http://h/a#b c%20#d[", "http://h/a#b%20c%20%23d%5B"), ("http://h/\u{1}\u{7F}%01", "http://h/%01%7F%01"),
            ("http://u:p%40@[::1]:80/a[b]%5B", "http://u:p%40@[::1]:80/a%5Bb%5D%5B"),
            ("//h/a b%20", "//h/a%20b%20"), ("?a=|%7C", "?a=%7C%7C"), ("[1]:a%3A/b:c", "%5B1%5D%3Aa%3A/b:c"),
            ("data:text/plain,a b%20", "data:text/plain,a%20b%20"), ("file:///a b%20#", "file:///a%20b%20#"),
            ("../%2e%2e/a", "../%2e%2e/a"), ("http://h?a b", "http://h?a%20b"), ("", ""), ("a/b:c", "a/b:c"),
        ])
    func `each forbidden byte is escaped, and no escape is escaped again`(text: String, expected: String) {
        #expect(ByteString(text).escapedAsURL == ByteString(expected))
        #expect(ByteString(expected).escapedAsURL == ByteString(expected))
    }

    @Test func `bytes that are not UTF-8 are escaped one by one`() throws {
        let text = ByteString(bytes: Array("/%20".utf8) + [0xFF, 0xC3, 0x20])
        let base = try #require(URL(string: "http://h/x"))
        #expect(URL(reference: text, relativeTo: base)?.absoluteString == "http://h/%20%FF%C3%20")
        let host = ByteString(bytes: Array("http://a".utf8) + [0xFF] + Array("/b".utf8))
        #expect(host.escapedAsURL == "http://a%FF/b")
    }

    @Test func `Foundation takes the result as it is`() throws {
        #expect(URL(text: "http://h/a?sig=a%2Bb%3D&n=[1]")?.absoluteString == "http://h/a?sig=a%2Bb%3D&n=%5B1%5D")
        #expect(URL(text: "http://ex\u{E4}mple.org/a%2Bb[")?.absoluteString == "http://xn--exmple-cua.org/a%2Bb%5B")
        #expect(URL(text: "http://[::1/") == nil)
        let base = try #require(URL(string: "http://h/x/y?z"))
        #expect(URL(reference: "a b%2F?n=[%5B", relativeTo: base)?.absoluteString == "http://h/x/a%20b%2F?n=%5B%5B")
    }
}
