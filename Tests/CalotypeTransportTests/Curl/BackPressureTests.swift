import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

/// A reader that stops reading stops the server, and fills no memory.
struct BackPressureTests {
    let origin: OriginServer
    let transport = CurlTransport()
    // More than the kernel's buffers between two sockets hold.
    let photo = noise(48 << 20)
    /// The transport's buffer, and one read of curl's.
    let bound = (256 << 10) + (64 << 10)

    init() throws {
        origin = try OriginServer()
        origin.on("/large", .ok(photo))
        origin.on("/small", .ok(Data("small".utf8)))
    }

    @Test func `while nobody reads, no more than the buffer is kept, and others are served`() async throws {
        let response = try await transport.get(origin.url("/large"))
        for _ in 0..<20 { _ = try await transport.body(origin.url("/small")) }
        #expect(transport.load.inFlight == 1)
        var count = 0
        var largest = 0
        for try await chunk in response.body {
            #expect(chunk == photo[count..<count + chunk.count])
            count += chunk.count
            largest = max(largest, chunk.count)
        }
        #expect(count == photo.count)
        #expect(largest <= bound)
    }

    @Test func `a transfer that its reader holds up is not idle`() async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on("/held", .ok(Data()).held(by: gate))
        var slow = HTTPRequest(origin.url("/large"))
        slow.timeouts.idle = .milliseconds(200)
        let response = try await transport.send(slow)
        // A wait for longer than the idle time: the timeout of another request.
        var other = HTTPRequest(origin.url("/held"))
        other.timeouts.total = .milliseconds(500)
        #expect(await transport.failure(other)?.code == .timedOut)
        #expect(try await response.body.collect().count == photo.count)
    }
}
