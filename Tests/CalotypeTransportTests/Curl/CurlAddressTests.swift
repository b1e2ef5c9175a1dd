import CCurl
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeTransport

/// Requests of a transport that may not connect to every address.
struct CurlAddressTests {
    private let origin: OriginServer
    private let service = SilentNameService()
    private let resolver: NameResolver

    init() throws {
        origin = try OriginServer()
        origin.onAny { _ in .ok(Data("there".utf8)) }
        resolver = NameResolver(threads: 4, lookUp: service.ask)
    }

    private func transport(except blocks: String...) throws -> CurlTransport {
        var options = CurlTransport.Options()
        options.addresses = .internet
        options.addresses.exceptions = try blocks.map { try #require(AddressBlock($0)) }
        return CurlTransport(options: options, resolver: resolver)
    }

    private func url(_ host: String) throws -> URL {
        try #require(URL(string: "http://\(host):\(origin.url.port ?? 0)/a"))
    }

    @Test(arguments: [
        "127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "localhost", "photos.localhost", "[::1]",
        "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "169.254.169.254",
    ])
    func `a refused address gets no connection, however it is spelled`(_ host: String) async throws {
        let error = try await transport().failure(url(host))
        #expect(error?.code == .addressRefused, "\(error?.message ?? "")")
        #expect(origin.openConnections == 0 && service.names.isEmpty)
    }

    @Test func `the error names host and address`() async throws {
        service.answerAll(.addresses(["10.0.0.1"]))
        let error = try await transport().failure(url("photos.example"))
        #expect(error?.message == "the host photos.example has the address 10.0.0.1, which may not be connected to")
    }

    @Test(.requirement("V8", "V11")) func `of a name's addresses, the allowed ones get connections`() async throws {
        service.answerAll(.addresses(["127.0.0.2", "127.0.0.1", "::1"]))
        #expect(try await transport(except: "127.0.0.1").body(url("photos.example")) == Data("there".utf8))
        #expect(origin.requestCount() == 1)
    }

    @Test(.requirement("V8"), arguments: [["127.0.0.1"], ["::ffff:127.0.0.1", "10.0.0.1"], ["::1", "127.0.0.1"]])
    func `a name with refused addresses alone gets no connection`(_ addresses: [String]) async throws {
        service.answerAll(.addresses(addresses))
        #expect(try await transport().failure(url("photos.example"))?.code == .addressRefused)
        #expect(origin.openConnections == 0)
    }

    @Test func `an exception allows an address in each spelling`() async throws {
        for host in ["127.0.0.1", "127.1", "localhost"] {
            #expect(try await transport(except: "127.0.0.0/8").body(url(host)) == Data("there".utf8))
        }
    }

    /// curl itself resolves the name, to both addresses of the machine.
    @Test func `an allowed address that is closed is unreachable, although the other one is refused`() async throws {
        let transport = try transport(except: "127.0.0.1")
        origin.stop()
        #expect(try await transport.failure(url("localhost"))?.code == .cannotConnect)
    }

    @Test func `a refused address is not tried again`() {
        let refusal = Result<HTTPResponse, TransportError>.failure(.addressRefused("photos.example", "10.0.0.1"))
        let request = HTTPRequest(origin.url)
        #expect(RetryPolicy.twice.pause(after: refusal, of: request, tries: 1, jitter: 0, now: 0) == nil)
    }

    @Test func `the address of a socket is read from curl's structure`() {
        var address = curl_sockaddr()
        address.family = AF_INET
        withUnsafeMutableBytes(of: &address.addr) { bytes in
            bytes.withMemoryRebound(to: sockaddr_in.self) { $0[0].sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian }
        }
        #expect(IPAddress(&address) == IPAddress("127.0.0.1"))
        address.family = AF_UNIX
        #expect(IPAddress(&address) == nil)
    }
}
