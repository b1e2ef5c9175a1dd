import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@Suite struct FakeTransportTests {
    private let request = HTTPRequest(URL(filePath: "/photo"))

    @Test func `it answers, and keeps a log`() async throws {
        let transport = FakeTransport(fields: ["Content-Type": "image/png"], body: Data("photo".utf8))
        let response = try await transport.send(request)
        #expect(response.fields["content-type"] == "image/png")
        #expect(try await response.body.collect() == Data("photo".utf8))
        #expect(transport.requests == [request])
        #expect(transport.requestCount == 1)
    }

    @Test func `it fails with the error it was given`() async {
        let transport = FakeTransport(failing: TransportError(.cannotConnect, "nobody there"))
        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
        #expect(error?.code == .cannotConnect)
    }

    @Test func `it counts what is in flight together and what was cancelled`() async {
        let gate = Gate()
        let transport = FakeTransport { request throws(TransportError) in
            await gate.wait()
            if Task.isCancelled { throw .cancelled }
            return HTTPResponse(url: request.url, status: 200)
        }
        let tasks = (0..<3).map { _ in Task { try await transport.send(request) } }
        await transport.waitForRequests(3)
        #expect(transport.inFlight == 3)
        #expect(transport.peakConcurrency == 3)
        tasks[1].cancel()
        await transport.waitForCancellations(1)
        gate.open()
        for task in tasks { _ = await task.result }
        #expect(transport.inFlight == 0)
        #expect(transport.cancelledCount == 1)
    }
}
