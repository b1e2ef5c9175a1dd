import CalotypeHTTP
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §4: the requests that may wait for each other's response.
struct SharingTests {
    static let requests: [(HTTPFields, shared: Bool, alone: Bool)] = [
        ([:], true, true), (["Accept": "image/*"], true, true), (["Cookie": "a"], true, true),
        (["Cache-Control": "max-stale"], true, true), (["Authorization": "a"], false, true),
        (["Range": "bytes=0-1"], false, false), (["If-None-Match": "\"a\""], false, false),
        (["If-Modified-Since": "@0"], false, false), (["If-Match": "\"a\""], false, false),
        (["Cache-Control": "no-cache"], false, false), (["Cache-Control": "no-store"], false, false),
        (["Cache-Control": "max-age=0"], false, false), (["Cache-Control": "min-fresh=1"], false, false),
        (["Cache-Control": "only-if-cached"], false, false),
    ]

    @Test(arguments: requests)
    func `a request waits for an equal one, unless it wants to reach the origin`(
        _ fields: HTTPFields, shared: Bool, alone: Bool
    ) throws {
        #expect(CacheRules(.shared).mayCoalesce(try get(fields)) == shared)
        #expect(CacheRules(.private).mayCoalesce(try get(fields)) == alone)
    }

    @Test(arguments: ["HEAD", "POST", "DELETE", "OPTIONS"])
    func `only GET waits`(_ method: String) throws {
        #expect(!CacheRules().mayCoalesce(try get(method: HTTPMethod(rawValue: ByteString(method)))))
    }

    static let answers: [(HTTPFields, HTTPFields, Bool)] = [
        (["Cache-Control": "max-age=60"], [:], true), (["Cache-Control": "max-age=60", "Vary": "Foo"], [:], true),
        (["Cache-Control": "max-age=60", "Vary": "Foo"], ["Foo": "1"], false),
        (["Cache-Control": "max-age=0", "ETag": "\"a\""], [:], false),
        (["Cache-Control": "max-age=60, no-cache", "ETag": "\"a\""], [:], false),
        (["Cache-Control": "max-age=60, no-cache=\"foo\""], [:], false), (["Last-Modified": "@-86400"], [:], true),
    ]

    @Test(arguments: answers)
    func `those who waited share what may be stored, is fresh, and matches their Vary`(
        _ response: HTTPFields, _ request: HTTPFields, _ isShared: Bool
    ) throws {
        #expect(CacheRules(.shared).mayShare(try stored(response), with: try get(request)) == isShared)
    }

    @Test func `a part is shared with nobody`() throws {
        let part = try stored(
            ["Cache-Control": "max-age=60", "Content-Range": "bytes 4-9/10"], status: 206, first: ["Range": "bytes=4-"])
        #expect(!CacheRules(.shared).mayShare(part, with: try get()))
    }
}
