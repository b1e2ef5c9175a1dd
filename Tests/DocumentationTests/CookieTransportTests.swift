import Calotype
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The layer of the guide "Hooks".
struct CookieTransport: Transport {
    let base: any Transport
    let storage: HTTPCookieStorage

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        let known = HTTPCookie.requestHeaderFields(with: storage.cookies(for: request.url) ?? [])
        if let cookies = known["Cookie"], request.fields["Cookie"] == nil { request.fields["Cookie"] = "\(cookies)" }
        let response = try await base.send(request)
        for line in response.fields.values(of: "Set-Cookie") {
            let new = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": line.string], for: response.url)
            storage.setCookies(new, for: response.url, mainDocumentURL: nil)
        }
        return response
    }
}

struct CookieTransportTests {
    @Test func `the layer sends the cookies of a host back to it, and to no other`() async throws {
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let image = SamplePhotos.png(width: 4, height: 4)
        let server = FakeTransport { request in
            var response = HTTPResponse(url: request.url, status: 200, body: HTTPBody(image))
            response.fields.append("a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", to: "Set-Cookie")
            response.fields.append("b=2; Path=/", to: "Set-Cookie")
            return response
        }
        let transport = CookieTransport(base: server, storage: storage)
        func load(_ url: String, _ fields: HTTPFields = [:]) async throws -> ByteString? {
            let request = HTTPRequest(try #require(URL(string: url)), fields: fields)
            _ = try await transport.send(request)
            return server.requests.last?.fields["Cookie"]
        }
        #expect(try await load("http://one.test/a.png") == nil)
        let cookies = try await load("http://one.test/b.png")
        #expect(cookies == "a=1; b=2" || cookies == "b=2; a=1")
        #expect(try await load("http://two.test/a.png") == nil)
        #expect(try await load("http://one.test/a.png", ["Cookie": "mine"]) == "mine")
    }
}
