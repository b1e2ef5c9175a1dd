import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeTransport

/// Requests whose host names are looked up, without a name server.
struct CurlNamingTests {
    private let origin: OriginServer
    private let service = SilentNameService()
    private let resolver: NameResolver

    init() throws {
        origin = try OriginServer()
        origin.onAny { _ in .ok(Data("there".utf8)) }
        resolver = NameResolver(threads: 4, lookUp: service.ask)
    }

    private func transport(_ change: (inout CurlTransport.Options) -> Void = { _ in }) -> CurlTransport {
        var options = CurlTransport.Options()
        change(&options)
        return CurlTransport(options: options, resolver: resolver)
    }

    private func url(_ host: String) throws -> URL {
        try #require(URL(string: "http://\(host):\(origin.url.port ?? 0)/a"))
    }

    @Test(arguments: [
        "photos.example", "PHOTOS.Example", "photos.example.", "bücher.example", "ph%6ftos.example", "a_b.example",
    ])
    func `a name is looked up here, and curl connects to its address`(_ host: String) async throws {
        service.answerAll(.addresses(["::1", "127.0.0.1"]))
        let transport = transport()
        #expect(try await transport.body(url(host)) == Data("there".utf8))
        #expect(try await transport.body(url(host)) == Data("there".utf8))
        #expect(service.names.count == 1)
        #expect(origin.openConnections == 1)
    }

    @Test(arguments: ["127.0.0.1", "127.1", "0x7f000001", "localhost", "photos.localhost"])
    func `an address is not looked up`(_ host: String) async throws {
        #expect(try await transport().body(url(host)) == Data("there".utf8))
        #expect(service.names.isEmpty)
    }

    // Each used to hold a thread and descriptors while the name server was silent, even after its cancellation.
    @Test func `requests that are cancelled leave at once, and start no more lookups than before`() async throws {
        let transport = transport()
        for number in 0..<200 {
            let load = start(transport, HTTPRequest(try url("n\(number).silent.example")))
            load.cancel()
            #expect(await load.value.error?.code == .cancelled)
        }
        await waitUntil { transport.load == (0, 0) }
        #expect(service.names.count <= 1 && resolver.load.waiting == 0)
        service.answer("photos.example", .addresses(["127.0.0.1"]))
        #expect(try await transport.body(url("photos.example")) == Data("there".utf8))
        service.answerAll(.notFound)
    }

    @Test func `names that nobody answers for hold no place`() async throws {
        let transport = transport { $0.transferLimit = 1 }
        let silent = try (0..<3).map { start(transport, HTTPRequest(try url("n\($0).example"))) }
        await waitUntil { transport.load.waiting >= 3 }
        #expect(try await transport.body(origin.url("/a")) == Data("there".utf8))
        service.answerAll(.notFound)
        for load in silent { #expect(await load.value.error?.code == .cannotFindHost) }
    }

    @Test func `a lookup takes no longer than connecting may`() async throws {
        var request = HTTPRequest(try url("n.example"))
        request.timeouts.connect = .milliseconds(30)
        let transport = transport()
        #expect(await transport.failure(request)?.code == .timedOut)
        request.timeouts = HTTPRequest.Timeouts(total: .milliseconds(30))
        #expect(await transport.failure(request)?.code == .timedOut)
        await waitUntil { transport.load == (0, 0) }
        service.answerAll(.notFound)
    }

    @Test func `a name server that fails is a host that cannot be found, with its reason`() async throws {
        service.answerAll(.failed("Temporary failure in name resolution"))
        let error = await transport().failure(try url("n.example"))
        #expect(error?.code == .cannotFindHost)
        #expect(error?.message == "the host n.example cannot be found: Temporary failure in name resolution")
    }

    // curl would have read its text as entries for other hosts.
    @Test(arguments: ["victim.example%3A80%3A127.0.0.1%2C", "a%2Cb.example", "a%20b.example", "a%2Bb.example"])
    func `a host with the signs of curl's own list is refused unasked`(_ host: String) async throws {
        // An answer to a question would lead to the origin.
        service.answerAll(.addresses(["127.0.0.1"]))
        #expect(await transport().failure(try url(host))?.code == .cannotFindHost)
        #expect(service.names.isEmpty && origin.requestCount() == 0)
    }

    @Test(arguments: [("http", 1), ("socks5h", 1), ("socks4a", 1), ("socks5", 2)])
    func `behind a proxy only names that curl connects to are looked up`(_ scheme: String, _ count: Int) async throws {
        service.answerAll(.addresses(["127.0.0.1"]))
        let transport = transport {
            $0.proxy = .url("\(scheme)://user:secret@proxy.example:\(origin.url.port ?? 0)")
        }
        let outcome = await transport.failure(try url("photos.example"))
        #expect(scheme == "http" ? outcome == nil : outcome != nil)
        #expect(service.names == ["proxy.example", "photos.example"].prefix(count).map(\.self))
    }

    @Test func `no_proxy lists names with those below, addresses and networks`() {
        let list = NoProxyList("example.com, .example.org,192.0.2.7 10.0.0.0/8,2001:db8::/32,*.net")
        for host in ["example.com", "A.Example.com", "example.org.", "192.0.2.7", "10.9.8.7", "[2001:db8::5]"] {
            #expect(list.contains(host))
        }
        for host in ["notexample.com", "192.0.2.8", "11.0.0.1", "2001:db9::", "a.net", "com"] {
            #expect(!list.contains(host))
        }
        #expect(NoProxyList("*").contains("anything"))
    }

    @Test(arguments: [
        ("proxy.example", "proxy.example", 1080), ("http://u:p@w@Proxy.example:3128/", "proxy.example", 3128),
        ("https://proxy.example", "proxy.example", 443), ("socks5://[::1]:9050", "::1", 9050), ("[::1]", "::1", 1080),
    ])
    func `a proxy's host and port are those that curl takes`(_ url: String, _ host: String, _ port: Int) {
        let server = ProxyServer(url)
        #expect(server.host == host && server.port == port)
    }
}
