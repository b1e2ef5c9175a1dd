import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// The freshness of an image whose server states no lifetime.
@Suite struct AssumedLifetimeTests {
    private final class Server: Sendable {
        private let state = Locked((blue: UInt8(1), conditions: [ByteString?]()))
        let fields: HTTPFields

        init(_ fields: HTTPFields) { self.fields = fields }

        /// The entity tags for which requests have asked, `nil` for a request without one.
        var conditions: [ByteString?] { state.withLock { $0.conditions } }

        func change() { state.withLock { $0.blue = 2 } }

        func answer(_ request: HTTPRequest) -> HTTPResponse {
            let blue = state.withLock { state in
                state.conditions.append(request.fields["If-None-Match"])
                return state.blue
            }
            var fields = fields
            let tag: ByteString = "\"\(blue)\""
            if fields.contains("ETag") { fields["ETag"] = tag }
            if request.fields["If-None-Match"] == tag {
                return HTTPResponse(url: request.url, status: 304, fields: fields)
            }
            let data = PlainDecoder.data(blue: blue)
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(data))
        }
    }

    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let photo = ImageRequest(.photo())

    private func room(
        _ server: Server, _ change: @escaping (inout ImageLoaderOptions) -> Void = { _ in }
    ) -> LoaderFixture {
        folder.room(clock: clock, options: change, answering: { server.answer($0) })
    }

    /// Memory used to show the image for as long as the process lived.
    @Test func `an image with an entity tag alone is asked for in the background after five minutes`() async throws {
        let server = Server(["ETag": "\"1\""])
        let room = room(server)
        _ = try await room.loader.fetch(photo)
        clock.advance(by: .seconds(299))
        #expect(try await room.loader.response(for: photo).origin == .memory)
        #expect(server.conditions.count == 1)
        clock.advance(by: .seconds(1))
        #expect(try await room.loader.response(for: photo).origin == .memory)
        await waitUntil { server.conditions.count == 2 && room.loader.statistics.images == 0 }
        // Unchanged: the image in memory is fresh for another five minutes.
        #expect(server.conditions.last == "\"1\"" && room.decoder.decodeCount == 1)
        clock.advance(by: .seconds(299))
        #expect(room.loader.cachedImage(for: photo)?.blue == 1)
        #expect(server.conditions.count == 2)
        server.change()
        clock.advance(by: .seconds(1))
        #expect(room.loader.cachedImage(for: photo)?.blue == 1)
        await waitUntil { room.loader.cachedImage(for: photo)?.blue == 2 }
        #expect(server.conditions.count == 3)
    }

    /// An image that is only shown scaled down used to be asked for never again, because the smaller size is not in memory.
    @Test func `an image shown in place of a smaller one is asked for again, too`() async throws {
        let server = Server(["ETag": "\"1\""])
        let room = room(server)
        _ = try await room.loader.fetch(photo)
        let small = ImageRequest(.photo(), size: ResizeTarget(width: 2), acceptsLargerImages: true)
        #expect(room.loader.cachedImage(for: small)?.width == 4)
        server.change()
        clock.advance(by: .seconds(300))
        #expect(room.loader.cachedImage(for: small)?.width == 4)
        await waitUntil { room.loader.cachedImage(for: small)?.blue == 2 }
        #expect(server.conditions.count == 2)
    }

    @Test func `a longer lifetime guessed from Last-Modified counts instead`() async throws {
        let modified = HTTPDate.format(clock.wall.now - 10_000)
        let server = Server(["Last-Modified": modified])
        let room = room(server)
        _ = try await room.loader.fetch(photo)
        clock.advance(by: .seconds(999))
        #expect(room.loader.cachedImage(for: photo) != nil)
        #expect(server.conditions.count == 1)
        clock.advance(by: .seconds(1))
        #expect(room.loader.cachedImage(for: photo) != nil)
        await waitUntil { server.conditions.count == 2 }
    }

    @Test(arguments: [nil, Duration.seconds(3600)])
    func `the loader's options set the time, or that there is none`(_ lifetime: Duration?) async throws {
        let server = Server([:])
        let room = room(server) { $0.assumedLifetime = lifetime }
        _ = try await room.loader.fetch(photo)
        clock.advance(by: .seconds(3599))
        #expect(room.loader.cachedImage(for: photo) != nil)
        #expect(server.conditions.count == 1)
        clock.advance(by: .seconds(lifetime == nil ? 1e9 : 1))
        #expect(room.loader.cachedImage(for: photo) != nil)
        if lifetime != nil { await waitUntil { server.conditions.count == 2 } }
        #expect(server.conditions.count == (lifetime == nil ? 1 : 2))
    }

    @Test func `a negative time is invalid, and counts as 0`() {
        var options = ImageLoaderOptions.ephemeral
        options.assumedLifetime = .seconds(-1)
        let error = #expect(throws: ImageError.self) { try options.validate() }
        #expect(error?.message.hasPrefix("assumedLifetime is") == true)
        #expect(ImageLoader(options).options.assumedLifetime == .zero)
    }
}
