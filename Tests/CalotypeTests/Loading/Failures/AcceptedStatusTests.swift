import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing

@testable import Calotype

/// Images with a status that is no success.
@Suite struct AcceptedStatusTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let plain = ImageRequest(.photo())
    private let accepting: ImageRequest

    init() {
        var request = ImageRequest(.photo())
        request.acceptedStatuses.insert(404)
        accepting = request
    }

    /// Returns a loader whose server answers with a 404 and a picture.
    private func room(
        _ control: ByteString? = "max-age=60", disk: Bool = false, body: Data = PlainDecoder.data(blue: 44),
        gate: Gate = Gate(isOpen: true), options change: (inout ImageLoaderOptions) -> Void = { _ in }
    ) -> LoaderFixture {
        let answer: FakeTransport.Answer = { request in
            var response = HTTPResponse(url: request.url, status: 404, body: HTTPBody(body))
            response.fields["Content-Length"] = "\(body.count)"
            response.fields["Cache-Control"] = control
            return response
        }
        if disk { return folder.room(clock: clock, gate: gate, options: change, answering: answer) }
        return LoaderFixture(
            gate: gate,
            options: {
                $0.wallClock = clock.wall
                change(&$0)
            }, answering: answer)
    }

    private func status(_ request: ImageRequest, _ room: LoaderFixture) async -> Int? {
        await imageError { try await room.loader.fetch(request) }?.status
    }

    @Test(arguments: [false, true])
    func `only a request that accepts a 404 gets its image, in either order`(disk: Bool) async throws {
        for order in [[plain, accepting], [accepting, plain]] {
            let room = room(disk: disk)
            for request in order + order {
                if request.acceptedStatuses.contains(404) {
                    #expect(try await room.loader.fetch(request).blue == 44)
                } else {
                    #expect(await status(request, room) == 404)
                }
            }
            #expect(room.loader.cachedImage(for: plain) == nil)
            #expect(room.loader.cachedImage(for: accepting)?.blue == 44)
            try await room.loader.removeAll()
        }
    }

    @Test(arguments: [false, true])
    func `requests in flight together each get what they accept`(disk: Bool) async throws {
        let gate = Gate()
        let room = room(disk: disk, gate: gate)
        let failing = Task { await status(plain, room) }
        let loading = Task { try await room.loader.fetch(accepting).blue }
        await room.waitForWaiters(images: 2, sources: 2)
        gate.open()
        #expect(await failing.value == 404)
        #expect(try await loading.value == 44)
        #expect(room.loader.cachedImage(for: plain) == nil)
    }

    @Test func `a stored 404 answers both kinds of request without a new one`() async throws {
        for (first, second) in [(plain, accepting), (accepting, plain)] {
            let room = room(disk: true)
            _ = try? await room.loader.fetch(first)
            _ = try? await room.loader.fetch(second)
            #expect(room.transport.requestCount == 1)
            try await room.loader.diskStore?.close()
            let later = self.room(disk: true)
            #expect(try await later.loader.response(for: accepting).origin == .disk)
            #expect(await status(plain, later) == 404)
            #expect(later.transport.requestCount == 0)
            try await later.loader.removeAll()
            try await later.loader.diskStore?.close()
        }
    }

    @Test func `the cache has the image for a request that accepts its status alone`() async throws {
        let first = room(disk: true)
        _ = try await first.loader.fetch(accepting)
        try await first.loader.diskStore?.close()
        let room = room(disk: true)
        #expect(await room.loader.cachedOrigin(of: accepting) == .disk)
        #expect(await room.loader.cachedOrigin(of: plain) == nil)
    }

    @Test func `an image made of a 404 is found by requests that accept it alone`() async throws {
        func small(_ request: ImageRequest) -> ImageRequest {
            var request = request
            request.size = ResizeTarget(width: 2)
            return request
        }
        let first = room(disk: true, options: { $0.storage = .all })
        _ = try await first.loader.fetch(small(accepting))
        try await first.loader.diskStore?.close()
        let second = room(disk: true, options: { $0.storage = .all })
        #expect(try await second.loader.response(for: small(accepting)).origin == .disk)
        #expect(second.decoder.decodeCount == 0)
        #expect(await status(small(plain), second) == 404)
    }

    @Test func `a remembered 404 fails requests that do not accept it alone`() async throws {
        let room = room(nil)
        var (plain, accepting) = (plain, accepting)
        (plain.failureMemory, accepting.failureMemory) = (.seconds(600), .seconds(600))
        #expect(await status(plain, room) == 404)
        #expect(try await room.loader.fetch(accepting).blue == 44)
        #expect(room.transport.requestCount == 2)
        // The image of the other has not ended the memory of the failure.
        #expect(await status(plain, room) == 404)
        #expect(room.transport.requestCount == 2)
    }

    @Test(arguments: [false, true])
    func `an image of a 404 is used for the lifetime of its response, and no longer`(disk: Bool) async throws {
        let stated = room(disk: disk)
        for _ in 0..<2 { _ = try await stated.loader.fetch(accepting) }
        #expect(stated.transport.requestCount == 1)
        clock.advance(by: .seconds(61))
        // As a stored failure, it is not used at any age.
        var anyAge = accepting
        anyAge.policy = .returnCacheElseLoad
        _ = try await stated.loader.fetch(anyAge)
        #expect(stated.transport.requestCount == 2)
        try await stated.loader.removeAll()

        let unstated = room(nil, disk: disk)
        for _ in 0..<2 { _ = try await unstated.loader.fetch(accepting) }
        #expect(unstated.transport.requestCount == 2)
    }

    @Test func `a page that is no image stays stored for the other requests`() async throws {
        let room = room(disk: true, body: Data("<html>".utf8))
        #expect(await imageError { try await room.loader.fetch(accepting) }?.code == .notAnImage)
        #expect(await imageError { try await room.loader.fetch(accepting) }?.code == .notAnImage)
        #expect(await status(plain, room) == 404)
        #expect(room.transport.requestCount == 1)
    }

    @Test func `the bytes of an accepted status are data`() async throws {
        let loader = room().loader
        let original = try await loader.original(for: accepting)
        #expect(original.status == 404)
        #expect(try await loader.data(of: original) == PlainDecoder.data(blue: 44))
    }

    @Test func `a request may accept less than the successes`() async throws {
        var request = ImageRequest(.photo())
        request.acceptedStatuses = [404]
        let room = LoaderFixture()
        let error = await imageError { try await room.loader.fetch(request) }
        #expect(error?.code == .badStatus && error?.status == 200)
    }

    @Test func `files and custom sources have no status`() async throws {
        var request = ImageRequest(source: .custom(id: "1") { PlainDecoder.data() })
        request.acceptedStatuses = [404]
        let room = folder.room()
        _ = try await room.loader.fetch(request)
        let file = URL(filePath: folder.path).appending(path: "a.plain")
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try PlainDecoder.data().write(to: file)
        request.source = .file(file)
        _ = try await room.loader.fetch(request)
    }

    @Test func `an accepted failure of a scheme of one's own stays as long as it states`() async throws {
        for (control, count) in [(nil, 2), ("max-age=60", 1)] as [(ByteString?, Int)] {
            let room = room(control, options: { $0.schemes.append("photo") })
            var request = ImageRequest(try #require(URL(string: "photo://h/a")))
            request.acceptedStatuses.insert(404)
            for _ in 0..<2 { #expect(try await room.loader.fetch(request).blue == 44) }
            #expect(room.transport.requestCount == count)
        }
    }

    @Test func `alternatives accept the same statuses`() async throws {
        var request = accepting
        request.source = .url(try #require(URL(string: "ftp://h/a")))
        request.alternatives = [.url(.photo())]
        #expect(try await room().loader.fetch(request).blue == 44)
    }

    @Test func `equal statuses make equal keys, and the successes the usual one`() {
        var (one, two, usual) = (ImageRequest(.photo()), ImageRequest(.photo()), ImageRequest(.photo()))
        for status in [404, 410, 405] { one.acceptedStatuses.insert(status) }
        for status in [405, 404, 410] { two.acceptedStatuses.insert(status) }
        usual.acceptedStatuses = Set(200..<300)
        let loader = LoaderFixture().loader
        #expect(loader.identity(of: one) == loader.identity(of: two))
        #expect(loader.identity(of: one) != loader.identity(of: plain))
        #expect(loader.identity(of: usual) == loader.identity(of: plain))
        #expect(one.accepted.key == "200-299,404-405,410")
        #expect(AcceptedStatuses([]).key == "" && !AcceptedStatuses([]).contains(200))
    }
}
