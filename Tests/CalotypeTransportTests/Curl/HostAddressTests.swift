import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Testing

@testable import CalotypeTransport

/// The addresses of a host, for callers that ask each of them. No name server is asked.
struct HostAddressTests {
    private let asked = Locked<[String]>([])
    private let gate = Gate(isOpen: true)

    private func resolver(_ answer: NameAnswer) -> NameResolver {
        NameResolver(
            threads: 4, lifetime: 0,
            lookUp: { [asked, gate] name in
                asked.withLock { $0.append(name) }
                gate.waitBlocking()
                return answer
            })
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:DB8::1", "2001:db8::1"), ("localhost", "127.0.0.1"), ("127.1", "127.0.0.1"),
    ])
    func `a numeric host is its own address`(host: String, address: String) async throws {
        #expect(try await HostAddresses.find(host, asking: resolver(.notFound)) == [address])
        #expect(asked.withLock { $0 } == [])
    }

    @Test func `a name has all addresses of the moment`() async throws {
        let resolver = resolver(.addresses(["192.0.2.1", "2001:db8::1"]))
        for _ in 0..<2 {
            #expect(try await HostAddresses.find("nodes.test", asking: resolver) == ["192.0.2.1", "2001:db8::1"])
        }
        #expect(asked.withLock { $0 } == ["nodes.test", "nodes.test"])
    }

    @Test(arguments: [NameAnswer.notFound, .failed("the name service is away")])
    func `a name without addresses is an error`(answer: NameAnswer) async throws {
        await #expect { _ = try await HostAddresses.find("nodes.test", asking: resolver(answer)) } throws: {
            ($0 as? TransportError)?.code == .cannotFindHost
        }
    }

    @Test func `a question ends with its task, although the name service is silent`() async {
        gate.close()
        let question = Task { [resolver = resolver(.notFound)] in
            try await HostAddresses.find("nodes.test", asking: resolver)
        }
        await gate.waitForWaiters(1)
        question.cancel()
        await #expect { _ = try await question.value } throws: { ($0 as? TransportError)?.code == .cancelled }
        gate.open()
    }
}
