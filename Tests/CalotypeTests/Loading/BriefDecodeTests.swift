import Calotype
import CalotypeBase
import CalotypeCodecs
import Foundation
import Testing

@Suite struct BriefDecodeTests {
    /// Notes on which kind of thread it decodes.
    private final class Observer: BriefDecoder {
        enum Place { case main, pool, task }

        private let plain = PlainDecoder()
        private let seen = Locked([Place]())

        var places: [Place] { seen.withLock { $0 } }

        func header(of data: Data) throws(CodecError) -> ImageHeader? { try plain.header(of: data) }

        func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            plain.workingBytes(for: header, scaledTo: size)
        }

        func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            let place: Place =
                if Thread.isMainThread { .main } else if threadName().hasPrefix("calotype-pool") { .pool } else {
                    .task
                }
            seen.withLock { $0.append(place) }
            return try plain.decode(data, header: header, scaledTo: size)
        }

        private func threadName() -> String {
            (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
        }
    }

    /// Loads an image from the main actor, and returns where it was decoded.
    @MainActor private func decode(
        _ width: Int, _ height: Int, target: ResizeTarget? = nil
    ) async throws -> [Observer.Place] {
        let observer = Observer()
        let room = LoaderFixture(
            options: { $0.decoders.register(observer) }, answering: { .picture($0, width: width, height: height) })
        _ = try await room.loader.fetch(ImageRequest(.photo(), size: target))
        return observer.places
    }

    @Test func `a tiny image decodes in its flight's task, never on the caller's executor`() async throws {
        #expect(try await decode(64, 64) == [.task])
        #expect(try await decode(1, 64, target: ResizeTarget(width: 64)) == [.task])
    }

    @Test func `a larger image, or a larger result, decodes on a codec thread`() async throws {
        #expect(try await decode(65, 64) == [.pool])
        var target = ResizeTarget(width: 65)
        target.upscales = true
        #expect(try await decode(64, 64, target: target) == [.pool])
    }
}
