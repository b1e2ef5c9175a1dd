import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// Results that are asked for while a decode of their original runs.
@Suite(.timeLimit(.minutes(1))) struct LateResultTests {
    private let server: TestServer
    private let gate = Gate()
    private let decoder: StoppedDecoder

    init() throws {
        decoder = StoppedDecoder(gate: gate)
        let decoder = decoder
        server = try TestServer {
            $0.decoders.register(decoder)
        }
        try server.write(Data("STOP".utf8), "a.jpg")
    }

    private var work: RenditionWork { server.server.renditions.work }

    private func ask(_ options: String) -> Task<TestServer.Answer, any Error> {
        Task { [server] in try await server.get("/_/\(ByteString(options))/f:png/plain/local:///a.jpg") }
    }

    /// Asks for one result and then, while its decode runs, for another.
    private func sizes(_ first: String, _ second: String) async throws -> [Int?] {
        let one = ask(first)
        await waitUntil { decoder.begun.withLock { $0 } == 1 }
        let other = ask(second)
        await waitUntil { server.server.renditions.maker.shared?.waiters == 2 }
        gate.open()
        return [try await one.value.size?.width, try await other.value.size?.width]
    }

    @Test func `a result joins a running decode whose bitmap is twice its size`() async throws {
        #expect(try await sizes("w:400", "w:200") == [400, 200])
        #expect(work.decodes == 1 && work.sharing == 1)
    }

    @Test func `an equal result of another quality joins a running decode`() async throws {
        #expect(try await sizes("w:400", "w:400/q:50") == [400, 400])
        #expect(work.decodes == 1)
    }

    @Test(arguments: [("w:400", "w:201"), ("w:200", "w:400"), ("rs:fill:400:100", "w:100"), ("w:400/bl:2", "w:100")])
    func `a result for which the running bitmap is too small or another one has a decode of its own`(
        first: String, second: String
    ) async throws {
        let widths = try await sizes(first, second)
        #expect(widths.allSatisfy { $0 != nil })
        #expect(work.decodes == 2 && work.sharing == 0)
    }
}

/// A decoder of a drawn photograph of 1600 × 1200 pixels whose decodes go on when a gate opens.
private struct StoppedDecoder: ImageDecoder {
    let gate: Gate
    let begun = Locked(0)

    func header(of data: Data) throws(CodecError) -> ImageHeader? {
        guard data == Data("STOP".utf8) else { return nil }
        return ImageHeader(format: ImageFormat(rawValue: "stopped"), width: 1600, height: 1200)
    }

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        4 * size.least.width * size.least.height
    }

    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        begun.withLock { $0 += 1 }
        gate.waitBlocking()
        return SamplePhotos.bitmap(width: size.least.width, height: size.least.height)
    }
}
