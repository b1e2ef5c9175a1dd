import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// Sources whose downloads wait for a turn, and decodes that several renditions share.
@Suite(.timeLimit(.minutes(1))) struct WaitingSourceTests {
    private let gate = Gate()

    @Test func `a source that never had its turn is not remembered as silent`() async throws {
        let (time, gate) = (ManualClock(), gate)
        let web = try WebServer { options, _ in
            options.clock = time
            options.wallClock = time.wall
            options.memoryLimit = MemoryShares.smallest
            options.decoders.register(HeldDecoder(gate: gate))
        }
        web.origin.on("/images/a.jpg", WebServer.reply())
        // Three files fill the memory for originals while they wait for a decoder.
        for number in 0..<3 { try web.server.write(HeldDecoder.file(number) + Data(count: 3_900_000), "held\(number)") }
        let held = (0..<3).map { number in
            Task { try await web.server.get("/_/w:10/f:png/plain/local:///held\(ByteString("\(number)"))") }
        }
        await waitUntil { web.server.server.work.undecodedBytes > web.server.options.shares.undecodedLimit }
        let waiting = Task { try await web.get() }
        // The deadlines of four renditions and of a download.
        await time.waitForSleepers(TestServer.idleSleepers + 5)
        time.advance(by: .seconds(10))
        #expect(try await waiting.value.status == 504)
        #expect(web.origin.requestCount() == 0)
        gate.open()
        for task in held { #expect(try await task.value.status == 200) }
        #expect(try await web.get().status == 200)
    }

    /// A decoder that waits for a gate, and fails the first time, as a worker process does at a deadline.
    private struct LateDecoder: ImageDecoder {
        let held: HeldDecoder
        let decodes = Locked(0)

        func header(of data: Data) throws(CodecError) -> ImageHeader? { try held.header(of: data) }

        func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            held.workingBytes(for: header, scaledTo: size)
        }

        func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            let bitmap = try held.decode(data, header: header, scaledTo: size)
            let isFirst = decodes.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { throw CodecError(.timedOut, "the request had 0.3 s left for the decoder") }
            return bitmap
        }
    }

    @Test func `a rendition does not end at the deadline of another one that shares its decode`() async throws {
        let gate = gate
        let web = try WebServer { options, _ in options.decoders.register(LateDecoder(held: HeldDecoder(gate: gate))) }
        var reply = OriginReply.ok(HeldDecoder.file())
        reply.fields["Cache-Control"] = "max-age=100"
        web.origin.on("/images/held", reply)
        let url = ByteString(web.origin.url("/images/held").absoluteString)
        let first = Task { try await web.server.get("/_/w:10/plain/\(url)", ["Accept": "image/webp"]) }
        await gate.waitForWaiters(1)
        let second = Task { try await web.server.get("/_/w:10/plain/\(url)") }
        await waitUntil { web.server.server.renditions.maker.shared?.waiters == 2 }
        gate.open()
        let late = try await first.value
        #expect(late.status == 504 && late.text == "the rendition took too long\n")
        #expect(try await second.value.status == 200)
    }
}
