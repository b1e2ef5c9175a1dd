import Calotype
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

/// A lifetime of the loader's own, in place of that of the servers.
@Suite struct FixedLifetimeTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let day = Duration.seconds(24 * 60 * 60)

    private func room(
        _ fields: HTTPFields, status: Int = 200, disk: Bool = true, lifetime: Duration? = .seconds(3 * 24 * 60 * 60)
    ) -> LoaderFixture {
        let answer: FakeTransport.Answer = { request in
            if request.fields["If-None-Match"] == "\"1\"" {
                return HTTPResponse(url: request.url, status: 304, fields: fields)
            }
            var response = HTTPResponse.picture(request)
            (response.status, response.fields) = (status, fields)
            return response
        }
        if disk {
            return folder.room(clock: clock, options: { $0.fixedLifetime = lifetime }, answering: answer)
        }
        return LoaderFixture(
            options: {
                $0.wallClock = clock.wall
                $0.fixedLifetime = lifetime
            }, answering: answer)
    }

    /// Loads in a new loader, as another process would.
    private func origin(_ room: LoaderFixture, _ request: ImageRequest = ImageRequest(.photo())) async throws
        -> ImageResponse.Origin
    {
        let origin = try await room.loader.response(for: request).origin
        try await room.loader.diskStore?.close()
        return origin
    }

    @Test(
        arguments: [
            [:], ["Cache-Control": "no-store"], ["Cache-Control": "private, no-cache"], ["Cache-Control": "max-age=1"],
            ["Expires": "0", "Age": "1000000"], ["Cache-Control": "max-age=31536000"],
        ] as [HTTPFields])
    func `images stay fresh for the loader's lifetime, on disk and after a confirmation`(
        _ fields: HTTPFields
    ) async throws {
        var fields = fields
        fields["ETag"] = "\"1\""
        #expect(try await origin(room(fields)) == .network)
        clock.advance(by: day * 2)
        #expect(try await origin(room(fields)) == .disk)
        clock.advance(by: day * 2)
        #expect(try await origin(room(fields)) == .revalidated)
        clock.advance(by: day * 2)
        #expect(try await origin(room(fields)) == .disk)
    }

    @Test func `without a store, images stay fresh in memory`() async throws {
        let room = room(["Cache-Control": "no-store"], disk: false)
        _ = try await room.loader.fetch(URL.photo())
        clock.advance(by: day * 2)
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .memory)
        clock.advance(by: day * 2)
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .network)
    }

    @Test func `failures keep their own lifetime`() async throws {
        let room = room(["Cache-Control": "max-age=60"], status: 404)
        for asked in [1, 1, 2] {
            #expect(await imageError { try await room.loader.fetch(URL.photo()) }?.status == 404)
            #expect(room.transport.requestCount == asked)
            clock.advance(by: .seconds(31))
        }
    }

    @Test func `a user's image is not for others`() async throws {
        func request(_ user: ByteString) -> ImageRequest {
            ImageRequest(source: .request(HTTPRequest(.photo(), fields: ["Authorization": user])))
        }
        let fields: HTTPFields = ["Cache-Control": "private"]
        #expect(try await origin(room(fields), request("anna")) == .network)
        #expect(try await origin(room(fields), request("ben")) == .network)
        #expect(try await origin(room(fields), request("anna")) == .disk)
    }

    @Test func `a response that varies by anything is not stored`() async throws {
        for _ in 0..<2 { #expect(try await origin(room(["Vary": "*"])) == .network) }
    }

    @Test func `a negative lifetime is invalid, and counts as 0`() async throws {
        var options = ImageLoaderOptions.ephemeral
        options.fixedLifetime = .seconds(-1)
        let error = #expect(throws: ImageError.self) { try options.validate() }
        #expect(error?.code == .invalidOption && error?.message.hasPrefix("fixedLifetime is") == true)
        #expect(ImageLoader(options).options.fixedLifetime == .zero)
        let room = room([:], lifetime: .zero)
        for _ in 0..<2 { #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .network) }
    }
}
