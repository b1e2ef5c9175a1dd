import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeTransport
import Testing

@testable import CalotypeServer

/// The client behind proxies.
struct ClientFinderTests {
    private func client(
        _ peer: String, _ field: ClientFinder.Field, _ values: [ByteString], trusting blocks: [String]
    ) throws -> String? {
        var finder = ClientFinder()
        finder.trusted = try blocks.map { try #require(AddressBlock($0)) }
        finder.field = field
        var fields: HTTPFields = [:]
        for value in values { fields.append(value, to: field == .forwarded ? "Forwarded" : "X-Forwarded-For") }
        var request = ListenerRequest(target: "/", fields: fields)
        request.client = ClientAddress(peer)
        return finder.client(of: request)?.description
    }

    @Test(
        arguments: [
            ("192.0.2.9", ["203.0.113.1"], "192.0.2.9"), ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["203.0.113.1"], "203.0.113.1"), ("10.0.0.1", ["203.0.113.1:4711"], "203.0.113.1"),
            // What stands in front of the client's address is the client's own text.
            ("10.0.0.1", ["198.51.100.7, 203.0.113.1"], "203.0.113.1"),
            ("10.0.0.1", ["198.51.100.7", "203.0.113.1, 10.1.1.1"], "203.0.113.1"),
            ("10.0.0.1", ["10.1.1.1, 10.2.2.2"], "10.1.1.1"), ("10.0.0.1", ["unknown"], "10.0.0.1"),
            ("10.0.0.1", ["203.0.113.1, nonsense, 10.1.1.1"], "10.1.1.1"),
            ("10.0.0.1", ["2001:db8::1"], "2001:db8::1"), ("10.0.0.1", ["[2001:db8::1]:80"], "2001:db8::1"),
            ("10.0.0.1", ["::ffff:203.0.113.1"], "203.0.113.1"), ("10.0.0.1", ["", ", ,"], "10.0.0.1"),
        ] as [(String, [ByteString], String)])
    func `X-Forwarded-For counts from trusted proxies, from the nearest on`(
        _ peer: String, _ values: [ByteString], _ expected: String
    ) throws {
        #expect(try client(peer, .forwardedFor, values, trusting: ["10.0.0.0/8"]) == expected)
    }

    @Test(
        arguments: [
            (["for=192.0.2.60;proto=http;by=203.0.113.43"], "192.0.2.60"),
            (["For=\"[2001:db8:cafe::17]:4711\""], "2001:db8:cafe::17"),
            (["for=192.0.2.43, for=198.51.100.17"], "198.51.100.17"),
            (["for=192.0.2.43", "for=198.51.100.17;host=\"a, for=1.2.3.4\""], "198.51.100.17"),
            (["for=192.0.2.43, for=_hidden"], "10.0.0.1"), (["proto=https"], "10.0.0.1"),
        ] as [([ByteString], String)])
    func `Forwarded is read as RFC 7239 has it`(_ values: [ByteString], _ expected: String) throws {
        #expect(try client("10.0.0.1", .forwarded, values, trusting: ["10.0.0.1"]) == expected)
    }

    @Test func `without trusted proxies no field counts`() throws {
        #expect(try client("127.0.0.1", .forwardedFor, ["203.0.113.1"], trusting: []) == "127.0.0.1")
    }

    @Test(
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
            ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x", false), ("", false),
        ] as [(ByteString, Bool)])
    func `a trace is one in the form of version 00`(_ value: ByteString, _ isTrace: Bool) {
        let fields: HTTPFields = ["traceparent": value]
        #expect((fields.trace == value) == isTrace)
    }
}
