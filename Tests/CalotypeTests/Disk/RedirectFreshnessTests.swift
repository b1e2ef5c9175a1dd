import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// The freshness of an image behind redirects: the least of all responses on the way to it.
@Suite struct RedirectFreshnessTests {
    /// A server whose redirects lead to an image that stays fresh for ten minutes.
    private final class Server: Sendable {
        struct State {
            var target = "/1"
            var hops: [String: (status: Int, fields: HTTPFields)] = [:]
            var requests: [String] = []
            /// The change after the next request for an image, which fails.
            var failure: (@Sendable (inout State) -> Void)?
        }

        private let state = Locked(State())

        func count(_ path: String) -> Int { state.withLock { $0.requests.count { $0 == path } } }

        /// Lets `/avatar` lead to this path.
        func lead(to path: String) { state.withLock { $0.target = path } }

        func redirect(_ status: Int, _ fields: HTTPFields, at path: String = "/avatar") {
            state.withLock { $0.hops[path] = (status, fields) }
        }

        /// Lets the next request for an image fail, and then changes the server.
        func failOnce(_ change: @escaping @Sendable (inout State) -> Void) { state.withLock { $0.failure = change } }

        func answer(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
            let path = request.url.path
            let (hop, target) = state.withLock { state in
                state.requests.append(path)
                return (state.hops[path], path == "/avatar" ? state.target : "/1")
            }
            guard let hop else {
                if let change = state.withLock({ $0.failure.take() }) {
                    state.withLock(change)
                    throw TransportError(.connectionLost, "the connection was lost")
                }
                let blue = UInt8(path.dropFirst()) ?? 0
                return HTTPResponse(
                    url: request.url, status: 200, fields: ["Cache-Control": "max-age=600"],
                    body: HTTPBody(PlainDecoder.data(blue: blue)))
            }
            var response = HTTPResponse(url: request.url, status: hop.status, fields: hop.fields)
            response.fields["Location"] = ByteString(target)
            return response
        }
    }

    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let server = Server()
    private let avatar = ImageRequest(.photo("avatar"))

    private func room(disk: Bool = true, _ change: (inout ImageLoaderOptions) -> Void = { _ in }) -> LoaderFixture {
        if disk {
            return folder.room(
                clock: clock, options: change,
                answering: { [server] request throws(TransportError) in try server.answer(request) })
        }
        return LoaderFixture(
            options: {
                $0.wallClock = clock.wall
                change(&$0)
            }, answering: { [server] request throws(TransportError) in try server.answer(request) })
    }

    private static let staleRedirects: [(status: Int, fields: HTTPFields)] = [
        (302, [:]), (303, [:]), (307, [:]), (302, ["Cache-Control": "no-store"]), (302, ["Cache-Control": "no-cache"]),
        (302, ["Cache-Control": "max-age=1"]), (302, ["Cache-Control": "public"]), (302, ["ETag": "\"1\""]),
        (301, ["Cache-Control": "no-store"]), (308, ["Cache-Control": "max-age=1"]),
    ]

    /// Memory knew the freshness of the last response alone: it showed the old image for ten minutes.
    @Test(arguments: staleRedirects, [true, false])
    func `a stale redirect is asked for again, and its new target shown`(
        redirect: (status: Int, fields: HTTPFields), disk: Bool
    ) async throws {
        server.redirect(redirect.status, redirect.fields)
        let room = room(disk: disk)
        #expect(try await room.loader.fetch(avatar).blue == 1)
        server.lead(to: "/2")
        clock.advance(by: .seconds(2))
        #expect(room.loader.cachedImage(for: avatar) == nil)
        #expect(try await room.loader.fetch(avatar).blue == 2)
        #expect(server.count("/avatar") == 2)
    }

    @Test func `a stale redirect to the same fresh image loads and decodes nothing`() async throws {
        server.redirect(302, [:])
        let room = room()
        let first = try await room.loader.fetch(avatar)
        for asked in 2...4 {
            let response = try await room.loader.response(for: avatar)
            #expect(response.origin == .disk && response.bitmap.isIdentical(to: first))
            #expect(server.count("/avatar") == asked)
        }
        #expect(server.count("/1") == 1 && room.decoder.decodeCount == 1)
    }

    @Test(arguments: [true, false])
    func `a redirect with a lifetime is not asked for before its end`(disk: Bool) async throws {
        server.redirect(302, ["Cache-Control": "max-age=60"])
        let room = room(disk: disk)
        _ = try await room.loader.fetch(avatar)
        clock.advance(by: .seconds(59))
        #expect(try await room.loader.response(for: avatar).origin == .memory)
        clock.advance(by: .seconds(1))
        #expect(room.loader.cachedImage(for: avatar) == nil)
    }

    @Test func `a redirect within stale-while-revalidate is shown, and asked for in the background`() async throws {
        server.redirect(302, ["Cache-Control": "max-age=60, stale-while-revalidate=60"])
        let room = room()
        _ = try await room.loader.fetch(avatar)
        server.lead(to: "/2")
        clock.advance(by: .seconds(70))
        #expect(room.loader.cachedImage(for: avatar)?.blue == 1)
        await waitUntil { room.loader.cachedImage(for: avatar)?.blue == 2 }
        clock.advance(by: .seconds(500))
        #expect(room.loader.cachedImage(for: avatar) == nil)
    }

    @Test(arguments: [("/avatar", "/middle"), ("/middle", "/avatar")])
    func `of several redirects the shortest lifetime counts`(short: String, long: String) async throws {
        server.lead(to: "/middle")
        server.redirect(302, ["Cache-Control": "max-age=30"], at: short)
        server.redirect(301, ["Cache-Control": "max-age=300"], at: long)
        let room = room()
        _ = try await room.loader.fetch(avatar)
        clock.advance(by: .seconds(29))
        #expect(room.loader.cachedImage(for: avatar) != nil)
        clock.advance(by: .seconds(1))
        #expect(room.loader.cachedImage(for: avatar) == nil)
        _ = try await room.loader.fetch(avatar)
        #expect(server.count(short) == 2 && server.count("/1") == 1)
    }

    @Test func `a permanent redirect without a lifetime is shown, and asked for after the assumed one`() async throws {
        server.redirect(301, [:])
        let room = room()
        _ = try await room.loader.fetch(avatar)
        server.lead(to: "/2")
        clock.advance(by: .seconds(299))
        #expect(room.loader.cachedImage(for: avatar)?.blue == 1)
        #expect(server.count("/avatar") == 1)
        clock.advance(by: .seconds(1))
        #expect(room.loader.cachedImage(for: avatar)?.blue == 1)
        await waitUntil { room.loader.cachedImage(for: avatar)?.blue == 2 }
    }

    @Test func `the loader's own lifetime applies to redirects`() async throws {
        server.redirect(302, ["Cache-Control": "no-store"])
        let room = room { $0.fixedLifetime = .seconds(3600) }
        _ = try await room.loader.fetch(avatar)
        clock.advance(by: .seconds(3599))
        #expect(room.loader.cachedImage(for: avatar) != nil)
        clock.advance(by: .seconds(1))
        #expect(room.loader.cachedImage(for: avatar) == nil)
    }

    @Test func `a program's own decision about redirects keeps their freshness`() async throws {
        server.redirect(302, [:])
        let room = room { $0.redirect = { next, _ in HTTPRequest(next.url) } }
        _ = try await room.loader.fetch(avatar)
        #expect(room.loader.cachedImage(for: avatar) == nil)
    }

    @Test func `a retry begins without the redirects of the attempt before`() async throws {
        server.redirect(302, ["Cache-Control": "max-age=1"])
        server.failOnce { $0.hops["/avatar"] = (302, ["Cache-Control": "max-age=60"]) }
        let room = room(disk: false) {
            $0.retry = RetryPolicy(count: 1)
            $0.retry.firstPause = .zero
        }
        _ = try await room.loader.fetch(avatar)
        #expect(server.count("/avatar") == 2)
        clock.advance(by: .seconds(59))
        #expect(room.loader.cachedImage(for: avatar) != nil)
    }
}
