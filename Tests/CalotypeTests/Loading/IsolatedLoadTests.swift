import Calotype
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

@Suite struct IsolatedLoadTests {
    private static let file: Data = {
        let bitmap = try? Bitmap(width: 300, height: 200, hasAlpha: false) { pixels, _ in
            for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 5) }
        }
        return (try? bitmap?.encoded(as: .png)) ?? Data()
    }()

    private static func loader(_ isolation: DecoderIsolation) -> ImageLoader {
        var options = ImageLoaderOptions.ephemeral
        options.isolation = isolation
        return ImageLoader(options)
    }

    private static func pixels(_ loader: ImageLoader) async throws(ImageError) -> [UInt8] {
        let request = ImageRequest(source: .data(file), size: ResizeTarget(width: 120))
        return try await loader.fetch(request).withUnsafeBytes { Array($0) }
    }

    @Test func `a loader whose decoders run apart gives the same pixels`() async throws {
        let workers = DecoderWorkers(limit: 1)
        let apart = try await Self.pixels(Self.loader(.all(in: workers)))
        #expect(try await apart == Self.pixels(Self.loader(.off)))
        #expect(workers.counters.images == 2, "a header and a decode")
    }

    @Test func `without the program that decodes, an image fails and does not fall back`() async throws {
        let workers = DecoderWorkers(limit: 1, program: "/no/such/calotype-decoder")
        let error = await #expect(throws: ImageError.self) {
            try await Self.pixels(Self.loader(.all(in: workers)))
        }
        #expect(error?.code == .decoderFailed)
        #expect(error?.message == "/no/such/calotype-decoder is missing or not executable")
    }

    @Test func `the default formats need no worker by default`() async throws {
        let before = DecoderWorkers.shared.counters.images
        _ = try await Self.pixels(ImageLoader(.ephemeral))
        #expect(DecoderWorkers.shared.counters.images == before)
    }

    @Test func `the deadline of a request is that of its decoder`() async throws {
        let workers = DecoderWorkers(limit: 1)
        try workers.start()
        var request = ImageRequest(source: .data(Self.file), size: ResizeTarget(width: 120))
        request.deadline = .seconds(20)
        _ = try await Self.loader(.all(in: workers)).fetch(request)
        #expect(workers.counters.ended.isEmpty)
    }
}
