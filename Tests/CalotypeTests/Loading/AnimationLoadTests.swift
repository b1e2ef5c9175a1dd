import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

@Suite struct AnimationLoadTests {
    private static let colors = [0xFF0000, 0x00FF00, 0x0000FF]
    private static let gif = SampleAnimations.gif(width: 8, height: 6, colors: colors, delay: 7)
    private let request = ImageRequest(URL(string: "http://photos.example/cat.gif")!)  // A literal that parses.

    private func animated(options change: (inout ImageLoaderOptions) -> Void = { _ in }) -> LoaderFixture {
        LoaderFixture(options: change) { request in
            HTTPResponse(
                url: request.url, status: 200, fields: ["Cache-Control": "max-age=1000"], body: HTTPBody(Self.gif))
        }
    }

    private func color(_ bitmap: Bitmap) -> Int {
        bitmap.withUnsafeBytes { Int($0.load(as: UInt32.self) & 0xFF_FFFF) }
    }

    @Test func `a fetch gives the first frame, and the animation all of them, with one download`() async throws {
        let fixture = animated()
        let first = try await fixture.loader.fetch(request)
        #expect(color(first) == 0xFF0000 && first.isFirstFrame)
        let animation = try #require(try await fixture.loader.animation(for: request))
        #expect(animation.durations == [Duration](repeating: .milliseconds(70), count: 3))
        #expect(animation.loopCount == nil)
        for (index, expected) in Self.colors.enumerated() {
            #expect(try await color(animation.frame(at: index)) == expected)
        }
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func `the animation alone is one download, and its first frame is in memory then`() async throws {
        let fixture = animated()
        _ = try #require(try await fixture.loader.animation(for: request))
        let first = try #require(fixture.loader.cachedImage(for: request))
        #expect(color(first) == 0xFF0000 && first.isFirstFrame)
        _ = try #require(try await fixture.loader.animation(for: request))
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func `a stored file is read for its frames, and not held with the first one`() async throws {
        let folder = TemporaryFolder()
        let fixture = animated { $0.disk = .directory(folder.path) }
        let first = try await fixture.loader.fetch(request)
        #expect(fixture.loader.statistics.memory.cost == first.byteCount)
        let animation = try #require(try await fixture.loader.animation(for: request))
        #expect(try await color(animation.frame(at: 2)) == 0x0000FF)
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func `memory counts the bytes of the file beside those of the frame`() async throws {
        let fixture = animated()
        let first = try await fixture.loader.fetch(request)
        #expect(fixture.loader.statistics.memory.cost == first.byteCount + Self.gif.count)
        _ = try await fixture.loader.animation(for: request)
        #expect(fixture.loader.statistics.memory.cost >= first.byteCount + Self.gif.count)
        await fixture.loader.remove(request)
        #expect(fixture.loader.statistics.memory.cost == 0)
    }

    @Test func `where the file is too large for memory, the first frame is there without it`() async throws {
        let fixture = animated { $0.memory.entryCostLimit = 8 * 6 * 4 + 10 }
        _ = try await fixture.loader.fetch(request)
        #expect(fixture.loader.cachedImage(for: request) != nil)
        #expect(try await fixture.loader.animation(for: request) != nil)
        #expect(fixture.loader.cachedImage(for: request) != nil)
    }

    @Test func `size and steps apply to each frame`() async throws {
        var small = request
        small.size = ResizeTarget(width: 4)
        small.steps = [.grayscale]
        let animation = try #require(try await animated().loader.animation(for: small))
        for index in 0..<animation.frameCount {
            let frame = try await animation.frame(at: index)
            #expect(frame.size == PixelSize(width: 4, height: 3))
            #expect(color(frame) & 0xFF == color(frame) >> 8 & 0xFF)
        }
    }

    @Test func `the first frame of an animation is not stored as a processed image, which would hide the others`()
        async throws
    {
        let folder = TemporaryFolder()
        var small = request
        small.size = ResizeTarget(width: 4)
        let open = { (options: inout ImageLoaderOptions) in
            options.disk = .directory(folder.path)
            options.storage = .all
        }
        _ = try await animated(options: open).loader.fetch(small)
        let again = try await animated(options: open).loader.fetch(small)
        #expect(again.isFirstFrame)
    }

    @Test func `a still image has no animation`() async throws {
        #expect(try await LoaderFixture().loader.animation(for: request) == nil)
    }

    @Test func `a broken frame is an error of that frame alone`() async throws {
        var broken = Self.gif
        let last = try #require(broken.range(of: Data([0x21, 0xF9, 4]), options: .backwards))
        for place in last.upperBound + 20..<broken.count - 3 { broken[place] = 0xFE }
        let file = broken
        let fixture = LoaderFixture { request in HTTPResponse(url: request.url, status: 200, body: HTTPBody(file)) }
        let animation = try #require(try await fixture.loader.animation(for: request))
        #expect(try await color(animation.frame(at: 1)) == 0x00FF00)
        let error = await #expect(throws: ImageError.self) { try await animation.frame(at: 2) }
        #expect(error?.code == .damagedImage)
    }
}
