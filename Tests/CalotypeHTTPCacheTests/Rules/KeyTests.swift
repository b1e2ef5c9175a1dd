import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

struct KeyTests {
    @Test(
        .requirement("RFC 9110 §4.2.3"),
        arguments: [
            ("http://a.test/x", "http://a.test/x"), ("HTTP://A.Test/x", "http://a.test/x"),
            ("http://a.test", "http://a.test/"),
            ("http://a.test:80/x", "http://a.test/x"), ("https://a.test:443/x", "https://a.test/x"),
            ("http://a.test:/x", "http://a.test/x"), ("http://a.test/x#part", "http://a.test/x"),
            ("http://a.test?b=1", "http://a.test/?b=1"), ("http://[::1]:80/x", "http://[::1]/x"),
        ])
    func `scheme, host, port and an empty path have one form`(_ url: String, _ key: String) throws {
        #expect(CacheRules().key(for: try get([:], url)) == ByteString(key))
    }

    @Test(
        .requirement("RFC 9110 §7.7"),
        arguments: [
            "http://a.test/X", "http://a.test/x?", "http://a.test/x?a=1", "http://a.test/x?a=2",
            "http://a.test/x?a=1&b=2",
            "http://a.test/x?b=2&a=1", "https://a.test/x", "http://a.test:8080/x", "http://a.test:443/x",
            "http://b.test/x",
            "http://a.test/x/", "http://a.test//x", "http://u:p@a.test/x", "http://U:p@a.test/x", "http://a.test/a%2Fb",
            "http://a.test/a/b", "http://a.test/strict", "http://a.test/%73trict", "http://a.test/x?%73=1",
            "http://a.test/a%2fb", "http://a.test/%7euser", "http://a.test/%7Euser", "http://a.test/~user",
        ])
    func `path and query are as they are sent`(_ url: String) throws {
        #expect(CacheRules().key(for: try get([:], url)) == ByteString(url))
    }

    @Test func `a raw target takes the place of the path`() throws {
        var request = try get([:], "http://a.test/other")
        request.rawTarget = "/raw/%73?x=%zz#no"
        #expect(CacheRules().key(for: request) == "http://a.test/raw/%73?x=%zz")
    }

    @Test(arguments: [
        ("http://a.test", "/x?y"), ("http://a.test/", "/x?y"), ("http://a.test/other/path?query", "/x?y"),
        ("http://a.test:80", "/x?y"), ("HTTP://A.test", "/x?y"),
        ("http://a.test", "/x?y#z"), ("http://a.test:", "/x?y"), ("http://a.test?query", "/x?y"),
    ])
    func `an origin and a raw target have the key of the URL they make`(_ url: String, _ target: String) throws {
        var request = try get([:], url)
        request.rawTarget = ByteString(target)
        #expect(CacheRules().key(for: request) == "http://a.test/x?y")
    }

    /// Texts that Unicode considers equal, in requests to a proxy and in a caller's keys.
    @Test(arguments: [("/\u{E9}", "/e\u{301}"), ("/K", "/\u{212A}"), ("/a;b", "/a\u{37E}b")])
    func `targets and callers' keys are apart where a byte differs`(_ left: String, _ right: String) throws {
        #expect(left == right)
        var (one, other) = (try get(), try get())
        (one.rawTarget, other.rawTarget) = (ByteString(left), ByteString(right))
        #expect(CacheRules().key(for: one) != CacheRules().key(for: other))
        #expect(one != other)
        (one, other) = (try get(), try get())
        (one.cacheKey, other.cacheKey) = (ByteString(left), ByteString(right))
        #expect(one != other)
    }

    @Test func `a target keeps bytes that are not UTF-8`() throws {
        var request = try get([:], "http://a.test")
        request.rawTarget = ByteString(bytes: [0x2F, 0xE9])
        #expect(CacheRules().key(for: request).bytes == Array("http://a.test/".utf8) + [0xE9])
        #expect(
            try CacheRules().key(of: ByteString(bytes: [0x2F, 0xE9]), relativeTo: get([:], "http://a.test/b"))
                == "http://a.test/%E9")
    }
}
