import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeTransport

/// Servers that are never idle and never done.
struct PaceTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `a minute and a second for each thousand bytes, ten minutes at most`() {
        var clock = PaceClock(HTTPRequest.Pace(), now: 5 * Self.second)
        #expect(clock.deadline == 65 * Self.second)
        #expect(clock.timeout(at: 65 * Self.second - 1, host: "a") == nil)
        #expect(clock.timeout(at: 65 * Self.second, host: "a")?.code == .timedOut)
        clock.noteReceived(30_000)
        #expect(clock.deadline == 95 * Self.second)
        #expect(clock.timeout(at: 65 * Self.second, host: "a") == nil)
        clock.noteReceived(100_000_000)
        #expect(clock.deadline == 605 * Self.second)
    }

    @Test func `pauses do not count, however often they are noted`() {
        var clock = PaceClock(HTTPRequest.Pace(), now: 0)
        clock.resumed(at: 5 * Self.second)
        clock.paused(at: 10 * Self.second)
        clock.paused(at: 20 * Self.second)
        #expect(clock.deadline == .max)
        #expect(clock.timeout(at: 3_000 * Self.second, host: "a") == nil)
        clock.resumed(at: 1_010 * Self.second)
        clock.resumed(at: 1_020 * Self.second)
        #expect(clock.deadline == 1_060 * Self.second)
    }

    @Test(arguments: [true, false])
    func `a server that drips is given up, and its place is free`(isCurl: Bool) async throws {
        let origin = try OriginServer()
        origin.on("/drip", .ok(noise(1_000_000)).dripping(bytes: 1, every: .milliseconds(5)))
        origin.on("/good", .ok(Data("good".utf8)))
        var options = CurlTransport.Options()
        options.transferLimit = 1
        let transport: any Transport = isCurl ? CurlTransport(options: options) : URLSessionTransport()
        var request = HTTPRequest(origin.url("/drip"))
        request.timeouts.idle = .seconds(60)
        request.timeouts.pace = HTTPRequest.Pace(base: .milliseconds(80), bytesPerSecond: 1_000_000)
        let error = await transport.failure(request)
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("too slow") == true)
        #expect(try await transport.body(origin.url("/good")) == Data("good".utf8))
    }

    @Test func `a transfer that its reader holds up is not too slow`() async throws {
        let origin = try OriginServer()
        let gate = Gate()
        defer { gate.open() }
        origin.on("/large", .ok(noise(8 << 20)))
        origin.on("/held", .ok(Data()).held(by: gate))
        let transport = CurlTransport()
        var slow = HTTPRequest(origin.url("/large"))
        slow.timeouts.pace = HTTPRequest.Pace(base: .milliseconds(200), bytesPerSecond: 1 << 30, longest: .seconds(600))
        let response = try await transport.send(slow)
        // Something that takes longer than the pace allows: the timeout of another request.
        var other = HTTPRequest(origin.url("/held"))
        other.timeouts.total = .milliseconds(500)
        #expect(await transport.failure(other)?.code == .timedOut)
        #expect(try await response.body.collect().count == 8 << 20)
    }
}
