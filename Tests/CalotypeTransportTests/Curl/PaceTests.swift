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

    // One byte every 20 s used to hold a slot without end.
    @Test func `a server that drips while others wait loses its place to them`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let slow = try OriginServer(host: "127.0.0.2")
        slow.onAny { _ in .ok(noise(1000)).bodyHeld(by: gate, after: 10) }
        let other = try OriginServer()
        other.onAny { _ in .ok(Data("there".utf8)) }
        var options = CurlTransport.Options()
        options.transferLimit = 1
        options.sharesPlaces = true
        options.paceWindow = .milliseconds(50)
        let transport = CurlTransport(options: options)
        let held = start(transport, HTTPRequest(slow.url("/a")))
        await slow.waitForRequests(1)
        #expect(try await transport.body(other.url("/b")) == Data("there".utf8))
        let error = await held.value.error
        #expect(error?.code == .timedOut)
        #expect(error?.message.hasSuffix("is too slow while others wait") == true)
    }

    @Test func `the pace is measured over each minute, and not while the exchange waits for its client`() {
        var pace = TransferPace(window: .seconds(60), now: 0)
        var verdicts = [(60 * Self.second - 1, 0), (60 * Self.second, 30_000), (120 * Self.second, 59_999)].map {
            pace.isSlow(at: $0, bytes: $1)
        }
        pace.pause()
        #expect(pace.deadline == .max)
        verdicts.append(pace.isSlow(at: 999 * Self.second, bytes: 59_999))
        pace.restart(at: 1_000 * Self.second, bytes: 59_999)
        #expect(pace.deadline == 1_060 * Self.second)
        #expect(verdicts == [false, false, true, false])
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
        // A wait for longer than the pace allows: the timeout of another request.
        var other = HTTPRequest(origin.url("/held"))
        other.timeouts.total = .milliseconds(500)
        #expect(await transport.failure(other)?.code == .timedOut)
        #expect(try await response.body.collect().count == 8 << 20)
    }
}
