import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

/// One exchange over HTTP/1.1: its request and its response.
struct CurlExchangeTests {
    let origin: OriginServer
    let transport = CurlTransport()

    init() throws {
        origin = try OriginServer()
    }

    @Test func `a body arrives as it was sent, of every size around the buffers' edges`() async throws {
        for size in [0, 1, 16_383, 16_384, 65_537, 262_144, 262_145, 3_000_000] {
            let photo = noise(size)
            origin.on("/\(size)", .ok(photo))
            let response = try await transport.get(origin.url("/\(size)"))
            #expect(response.status == 200)
            #expect(response.version == "1.1")
            #expect(response.contentLength == size)
            #expect(try await response.body.collect() == photo)
        }
    }

    @Test func `a chunked body arrives whole and has no length`() async throws {
        let photo = noise(100_000)
        origin.on("/a", .ok(photo).chunked())
        let response = try await transport.get(origin.url("/a"))
        #expect(response.contentLength == nil)
        #expect(try await response.body.collect() == photo)
    }

    @Test func `it says who it is and asks for plain bytes, and nothing more`() async throws {
        _ = try await transport.body(origin.url("/a"))
        let names = origin.requests[0].fields.map(\.name).sorted()
        #expect(names == ["accept-encoding", "host", "user-agent"])
        #expect(origin.requests[0].fields["Accept-Encoding"] == "identity")
        #expect(origin.requests[0].fields["User-Agent"] == "Calotype")
    }

    @Test func `fields go out as given, in order, with duplicates and empty values`() async throws {
        let fields = HTTPFields([
            .init(name: "Accept", value: "image/webp"), .init(name: "X-A", value: "1"), .init(name: "X-A", value: "2"),
            .init(name: "X-Empty", value: ""), .init(name: "Accept-Encoding", value: "br"),
            .init(name: "User-Agent", value: "Someone"),
        ])
        _ = try await transport.get(origin.url("/a"), fields)
        let seen = origin.requests[0].fields
        #expect(seen.values(of: "X-A") == ["1", "2"])
        #expect(seen["X-Empty"] == "")
        #expect(seen["Accept"] == "image/webp")
        #expect(seen.values(of: "Accept-Encoding") == ["br"])
        #expect(seen.values(of: "User-Agent") == ["Someone"])
    }

    @Test func `fields of one request do not leak into the next`() async throws {
        _ = try await transport.get(origin.url("/a"), ["Authorization": "Bearer one"])
        _ = try await transport.send(HTTPRequest(origin.url("/b"), method: .post, body: Data("x".utf8)))
        _ = try await transport.body(origin.url("/c"))
        #expect(origin.requests.map(\.method) == ["GET", "POST", "GET"])
        #expect(origin.requests[2].fields["Authorization"] == nil)
        #expect(origin.requests[2].body.isEmpty)
    }

    @Test func `a HEAD gets a head and no body`() async throws {
        origin.on("/a", .ok(noise(500)))
        let response = try await transport.send(HTTPRequest(origin.url("/a"), method: .head))
        #expect(response.contentLength == 500)
        #expect(try await response.body.collect().isEmpty)
        #expect(origin.requests[0].method == "HEAD")
    }

    @Test func `a request body is sent byte for byte`() async throws {
        let body = noise(300_000)
        _ = try await transport.send(
            HTTPRequest(origin.url("/a"), method: .put, fields: ["Content-Type": "image/png"], body: body))
        #expect(origin.requests[0].method == "PUT")
        #expect(origin.requests[0].body == body)
        #expect(origin.requests[0].fields["Content-Type"] == "image/png")
        #expect(origin.requests[0].fields["Expect"] == nil)
    }

    @Test func `an empty request body has a length, a missing one has none`() async throws {
        _ = try await transport.send(HTTPRequest(origin.url("/a"), method: .post, body: Data()))
        _ = try await transport.send(HTTPRequest(origin.url("/a"), method: .delete))
        #expect(origin.requests[0].fields["Content-Length"] == "0")
        #expect(origin.requests[1].fields["Content-Length"] == nil)
        #expect(origin.requests[1].method == "DELETE")
    }

    @Test func `a raw target goes out as it is`() async throws {
        var request = HTTPRequest(origin.url("/x"))
        request.rawTarget = "/a/../b//c%2f?d=%zz"
        _ = try await transport.send(request)
        #expect(origin.requests[0].target == "/a/../b//c%2f?d=%zz")
    }

    @Test func `the fragment stays at home`() async throws {
        _ = try await transport.body(origin.url("/a?b=c#d"))
        #expect(origin.requests[0].target == "/a?b=c")
    }

    @Test func `redirects, errors and unknown statuses are answers like any other`() async throws {
        for status in [204, 302, 304, 404, 418, 500, 799] {
            origin.on("/\(status)", OriginReply(status: status, fields: ["Location": "/elsewhere"]))
            #expect(try await transport.get(origin.url("/\(status)")).status == status)
        }
        #expect(origin.requestCount("/elsewhere") == 0)
    }

    @Test func `requests one after the other share a connection`() async throws {
        for path in ["/a", "/b", "/c"] { _ = try await transport.body(origin.url(path)) }
        #expect(origin.openConnections == 1)
    }

    @Test func `a proxy from the environment is not used unless asked`() async throws {
        // In a separate process, because the environment belongs to all tests of this one.
        await #expect(processExitsWith: .success) {
            let origin = try OriginServer()
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            #expect(try await CurlTransport().get(origin.url("/a")).status == 404)
            var options = CurlTransport.Options()
            options.proxy = .environment
            #expect(await CurlTransport(options: options).failure(origin.url("/a"))?.code == .cannotConnect)
        }
    }

    @Test func `a proxy that was asked for gets the request`() async throws {
        var options = CurlTransport.Options()
        options.proxy = .url(origin.url.absoluteString)
        origin.onAny { _ in .ok(Data("from the proxy".utf8)) }
        let url = try #require(URL(string: "http://photos.invalid/a.jpg"))
        #expect(try await CurlTransport(options: options).body(url) == Data("from the proxy".utf8))
        #expect(origin.requests[0].target == "http://photos.invalid/a.jpg")
    }

    @Test(arguments: ["GE T", "", "GET\r\n"])
    func `a method that is no token is refused`(_ method: String) async {
        let error = await transport.failure(
            HTTPRequest(origin.url("/a"), method: HTTPMethod(rawValue: ByteString(method))))
        #expect(error?.code == .malformedRequest)
        #expect(origin.requestCount() == 0)
    }

    @Test(arguments: [("X-A", "1\r\nX-B: 2"), ("X-A\r\nX-B", "1"), ("", "1"), ("X A", "1"), ("X-A", "1\u{0}")])
    func `a field that would break out of its line is refused`(_ name: String, _ value: String) async {
        let error = await transport.failure(
            HTTPRequest(origin.url("/a"), fields: [CaselessString(name): ByteString(value)]))
        #expect(error?.code == .malformedRequest)
        #expect(origin.requestCount() == 0)
    }
}
