import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing

struct AuthorizationTests {
    let fake = FakeTransport(body: Data("a".utf8))
    let url: URL

    init() throws {
        url = try #require(URL(string: "http://example.org/a"))
    }

    @Test(.requirement("B54")) func `the hook may rewrite the request`() async {
        let transport = fake.authorized { request throws(TransportError) in
            var request = request
            request.fields["Authorization"] = "Bearer 1"
            return request
        }
        #expect(await transport.failure(url) == nil)
        #expect(fake.requests[0].fields["Authorization"] == "Bearer 1")
    }

    @Test(.requirement("B54")) func `the hook may fail the request, and nothing goes out`() async {
        let transport = fake.authorized { _ throws(TransportError) in throw TransportError(.other, "no token") }
        #expect(await transport.failure(url)?.message == "no token")
        #expect(fake.requestCount == 0)
    }

    @Test(.requirement("B54")) func `cancelled while the hook is suspended, nothing goes out`() async {
        let gate = Gate()
        let transport = fake.authorized { request throws(TransportError) in
            await gate.wait()
            return request
        }
        let load = start(transport, HTTPRequest(url))
        await gate.waitForWaiters(1)
        load.cancel()
        #expect(await load.value.error?.code == .cancelled)
        #expect(fake.requestCount == 0)
    }

    @Test(.requirement("B54")) func `what the hook throws because it was cancelled reads as cancelled`() async {
        let gate = Gate()
        let transport = fake.authorized { _ throws(TransportError) in
            await gate.wait()
            throw TransportError(.other, "the token service was interrupted")
        }
        let load = start(transport, HTTPRequest(url))
        await gate.waitForWaiters(1)
        load.cancel()
        #expect(await load.value.error?.code == .cancelled)
    }
}
