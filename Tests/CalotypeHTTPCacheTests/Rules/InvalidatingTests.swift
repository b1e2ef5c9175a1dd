import CalotypeHTTP
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §4.4: the responses that a change invalidates.
struct InvalidatingTests {
    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH", "PURGE"])
    func `a success of a method that is not safe invalidates its URI`(_ method: String) throws {
        let request = try get(method: HTTPMethod(rawValue: ByteString(method)))
        for status in [200, 201, 204, 303, 399] {
            #expect(CacheRules().invalidates(request, status: status, fields: [:]) == [ByteString(pictureURL)])
        }
        for status in [400, 404, 500, 503] {
            #expect(CacheRules().invalidates(request, status: status, fields: [:]) == [])
        }
    }

    @Test(arguments: [HTTPMethod.get, .head, HTTPMethod(rawValue: "OPTIONS"), HTTPMethod(rawValue: "TRACE")])
    func `safe methods invalidate nothing`(_ method: HTTPMethod) throws {
        #expect(CacheRules().invalidates(try get(method: method), status: 200, fields: ["Location": "/x"]) == [])
    }

    static let locations: [(HTTPFields, [ByteString])] = [
        (["Location": "/new"], ["http://origin.test/new"]),
        (["Content-Location": "new"], ["http://origin.test/new"]),
        (["Location": "/a", "Content-Location": "/b"], ["http://origin.test/a", "http://origin.test/b"]),
        (["Location": "http://ORIGIN.test:80/new#x"], ["http://origin.test/new"]),
        (["Location": "?a=1"], ["http://origin.test/picture?a=1"]), (["Location": "/picture"], []),
        (["Location": ""], []), (["Location": "http://other.test/new"], []), (["Location": "//other.test/new"], []),
        (["Location": "https://origin.test/new"], []), (["Location": "http://origin.test:8080/new"], []),
        (["Location": "http://[broken"], []), (["Location": "data:,x"], []),
    ]

    @Test(arguments: locations)
    func `so do Location and Content-Location of the same origin`(_ fields: HTTPFields, _ others: [ByteString]) throws {
        let keys = CacheRules().invalidates(try get(method: .put), status: 201, fields: fields)
        #expect(keys == [ByteString(pictureURL)] + others)
    }
}
