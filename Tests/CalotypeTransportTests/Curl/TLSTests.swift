import CalotypeHTTP
import CalotypeTransport
import Foundation
import Testing

/// HTTP/2 and TLS, against nginx.
struct TLSTests {
    private let files = ["a.jpg": noise(20_000), "large.jpg": noise(4 << 20)]

    private func transport(_ server: Nginx, _ change: (inout CurlTransport.Options) -> Void = { _ in }) -> CurlTransport
    {
        var options = CurlTransport.Options()
        options.certificateAuthorities = server.certificate.path
        change(&options)
        return CurlTransport(options: options)
    }

    @Test func `HTTP/2 is spoken where the server offers it`() async throws {
        let server = try await Nginx(http2: true, files: files)
        let response = try await transport(server).get(server.url("a.jpg"))
        #expect(response.version == "2")
        #expect(response.status == 200)
        #expect(response.contentLength == 20_000)
        #expect(try await response.body.collect() == noise(20_000))
    }

    @Test func `HTTP/1.1 is spoken where it does not, or where we do not`() async throws {
        let old = try await Nginx(http2: false, files: files)
        #expect(try await transport(old).get(old.url("a.jpg")).version == "1.1")
        let new = try await Nginx(http2: true, files: files)
        #expect(try await transport(new) { $0.allowsHTTP2 = false }.get(new.url("a.jpg")).version == "1.1")
    }

    @Test func `many requests over HTTP/2 share connections, more than six at a time`() async throws {
        let server = try await Nginx(http2: true, files: files)
        let transport = transport(server)
        // Until the first response, the transport does not know that the server multiplexes.
        _ = try await transport.body(server.url("a.jpg"))
        var held: [HTTPResponse] = []
        for _ in 0..<20 { held.append(try await transport.get(server.url("large.jpg"))) }
        #expect(transport.load == (0, 20))
        for response in held { #expect(try await response.body.collect() == noise(4 << 20)) }
    }

    @Test func `requests one after the other over HTTP/2 share a connection`() async throws {
        let server = try await Nginx(http2: true, files: files, settings: "add_header X-Connection $connection;")
        let transport = transport(server)
        var connections: Set<ByteString?> = []
        for _ in 0..<5 { connections.insert(try await transport.get(server.url("a.jpg")).fields["X-Connection"]) }
        #expect(connections.count == 1)
    }

    @Test func `a new connection resumes the TLS session of one before it`() async throws {
        let server = try await Nginx(
            http2: false, files: files,
            settings: """
                keepalive_timeout 0; ssl_session_cache shared:sessions:1m;
                add_header X-Session-Reused $ssl_session_reused;
                """)
        let transport = transport(server)
        #expect(try await transport.get(server.url("a.jpg")).fields["X-Session-Reused"] == ".")
        #expect(try await transport.get(server.url("a.jpg")).fields["X-Session-Reused"] == "r")
    }

    @Test func `cancelling one stream leaves the others alone`() async throws {
        let server = try await Nginx(http2: true, files: files)
        let transport = transport(server)
        let kept = try await transport.get(server.url("large.jpg"))
        for _ in 0..<20 {
            let dropped = try await transport.get(server.url("large.jpg"))
            #expect(dropped.status == 200)
        }
        #expect(try await kept.body.collect() == noise(4 << 20))
    }

    @Test func `a certificate that nobody vouches for is refused`() async throws {
        let server = try await Nginx(http2: true, files: files)
        let error = await CurlTransport().failure(try server.url("a.jpg"))
        #expect(error?.code == .tlsFailed)
        #expect(error?.message.contains("localhost:\(server.port)") == true)
    }

    @Test func `a certificate for another name is refused`() async throws {
        let server = try await Nginx(http2: true, files: files)
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/a.jpg"))
        #expect(await transport(server).failure(url)?.code == .tlsFailed)
    }

    @Test func `authorities that cannot be read fail every secure connection`() async throws {
        let server = try await Nginx(http2: true, files: files)
        let transport = transport(server) { $0.certificateAuthorities = "/nowhere/cert.pem" }
        let error = await transport.failure(try server.url("a.jpg"))
        #expect(error?.code == .tlsFailed)
        #expect(error?.message.contains("/nowhere/cert.pem") == true)
    }

    @Test func `plain HTTP sent to a secure port is an answer, not a crash`() async throws {
        let server = try await Nginx(http2: true, files: files)
        let url = try #require(URL(string: "http://localhost:\(server.port)/a.jpg"))
        let transport = transport(server)
        if await transport.failure(url) == nil { #expect(try await transport.get(url).status == 400) }
    }
}
