import Calotype
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing
import Waiting

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

    #if SVG
        /// Takes longer than any test.
        private static func slowDrawing(_ number: Int) -> ImageSource {
            let turbulence = String(repeating: "<feTurbulence baseFrequency='.05' numOctaves='9'/>", count: 500)
            let body = "<filter id='f'>\(turbulence)</filter><rect width='999' height='999' filter='url(#f)'/>"
            let text = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 999 999'>\(body)<!--\(number)--></svg>"
            return .data(Data(text.utf8))
        }

        @Test func `drawings leave threads and workers to other images`() async throws {
            let workers = DecoderWorkers(limit: 2)
            var options = ImageLoaderOptions.ephemeral
            options.isolation = .all(in: workers)
            options.codecThreads = 2
            let loader = ImageLoader(options), drawn = Counter()
            let drawings = (0..<4).map { number in
                Task {
                    _ = try? await loader.fetch(
                        ImageRequest(source: Self.slowDrawing(number), size: ResizeTarget(width: 999)))
                    drawn.next()
                }
            }
            // A drawing's header, and its pixels.
            await waitUntil { workers.counters.images > 1 }
            _ = try await Self.pixels(loader)
            #expect(drawn.count == 0)
            for drawing in drawings { drawing.cancel() }
            workers.close()
        }
    #endif

    @Test func `the deadline of a request is that of its decoder`() async throws {
        let workers = DecoderWorkers(limit: 1)
        try workers.start()
        var request = ImageRequest(source: .data(Self.file), size: ResizeTarget(width: 120))
        request.deadline = .seconds(20)
        _ = try await Self.loader(.all(in: workers)).fetch(request)
        #expect(workers.counters.ended.isEmpty)
    }
}
