import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// Stored originals are requested without a slot, and read no earlier than they can be decoded.
@Suite struct StoredBodyTests {
    private let folder = TemporaryFolder()
    /// Large enough for a separate file.
    private static let size = 50_000

    private static func body(blue: UInt8 = 200) -> Data {
        PlainDecoder.data(4, 3, blue: blue) + Data(repeating: 0x20, count: size)
    }

    private func room(
        gate: Gate = Gate(isOpen: true), decodeHook: (@Sendable () -> Void)? = nil,
        options change: @escaping (inout ImageLoaderOptions) -> Void = { _ in },
        answering answer: @escaping FakeTransport.Answer = { request in
            HTTPResponse(
                url: request.url, status: 200,
                fields: ["Cache-Control": "max-age=600", "Content-Length": "\(body().count)"], body: HTTPBody(body()))
        }
    ) -> LoaderFixture {
        LoaderFixture(
            gate: gate, decodeHook: decodeHook,
            options: {
                $0.disk = .store(DiskStore(directory: folder.path))
                change(&$0)
            }, answering: answer)
    }

    private func store(_ names: Int...) async throws {
        let room = room()
        for name in names { try await room.fetchAndFlush(ImageRequest(.photo(name))) }
        try await room.loader.diskStore?.close()
    }

    private func blobs() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { folder.path + "/" + $0 }
            .filter { path in
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                return size == StoredBodyTests.body().count
            }
    }

    @Test func `a stored image waits for no place`() async throws {
        try await store(1)
        let gate = Gate()
        let room = room(gate: gate, options: { $0.downloads = 1 })
        let slow = Task { try await room.loader.fetch(URL.photo(2)) }
        await gate.waitForWaiters(1)
        #expect(try await room.loader.response(for: ImageRequest(.photo(1))).origin == .disk)
        gate.open()
        _ = try await slow.value
    }

    @Test func `a custom source takes a place and gives it back`() async throws {
        let gate = Gate()
        let room = room(options: { $0.downloads = 1 })
        let custom = ImageSource.custom(id: "1") {
            await gate.wait()
            return PlainDecoder.data()
        }
        let first = Task { try await room.loader.fetch(ImageRequest(source: custom)) }
        await gate.waitForWaiters(1)
        let second = Task { try await room.loader.fetch(URL.photo(1)) }
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        #expect(room.transport.requestCount == 0)
        gate.open()
        _ = try await first.value
        #expect(try await second.value.width == 4)
    }

    /// The flight used to end with the head, so that each size requested a body that no store had.
    @Test func `an answer that is not stored is one download until its body is whole`() async throws {
        let gate = Gate()
        let data = PlainDecoder.data(8, 6)
        let room = room(answering: { request in
            HTTPResponse(
                url: request.url, status: 200,
                fields: ["Cache-Control": "no-store", "Content-Length": "\(data.count)"],
                body: .chunks(of: data, size: 4, gate: gate))
        })
        let small = Task { try await room.loader.fetch(ImageRequest(.photo(1), size: ResizeTarget(width: 2))) }
        // Its head has arrived.
        await gate.waitForWaiters(1)
        let large = Task { try await room.loader.fetch(ImageRequest(.photo(1), size: ResizeTarget(width: 4))) }
        await room.waitForWaiters(images: 2, sources: 2)
        gate.open()
        #expect(try await (small.value.width, large.value.width) == (2, 4))
        #expect(room.transport.requestCount == 1)
    }

    @Test func `sizes that are asked for at once read a stored body once`() async throws {
        try await store(1)
        let (preparing, decoding) = (Gate(), Gate())
        let room = room(
            decodeHook: { decoding.waitBlocking() },
            options: {
                $0.codecThreads = 3
                $0.prepare = { request in
                    await preparing.wait()
                    return request
                }
            })
        let tasks = (1...3).map { width in
            Task { try await room.loader.fetch(ImageRequest(.photo(1), size: ResizeTarget(width: width))) }
        }
        await room.waitForWaiters(images: 3, sources: 3)
        preparing.open()
        await decoding.waitForWaiters(3)
        #expect(room.loader.statistics.undecodedBytes == StoredBodyTests.body().count)
        decoding.open()
        for task in tasks { _ = try await task.value }
        await waitUntil { room.loader.statistics.undecodedBytes == 0 }
    }

    @Test func `above the limit no stored body is read, and no exchange begins`() async throws {
        try await store(1, 2, 3)
        let decoding = Gate()
        let room = room(
            decodeHook: { decoding.waitBlocking() },
            options: {
                $0.undecodedBytes = 1
                $0.codecThreads = 1
            })
        // Its bytes fill the room before the other requests begin.
        let first = Task { try await room.loader.fetch(URL.photo(1)) }
        await decoding.waitForWaiters(1)
        let tasks = [first] + (2...4).map { name in Task { try await room.loader.fetch(URL.photo(name)) } }
        await waitUntil { room.loader.statistics.downloadQueue == 3 }
        #expect(room.loader.statistics.undecodedBytes <= StoredBodyTests.body().count)
        decoding.open()
        for task in tasks { #expect(try await task.value.width == 4) }
        #expect(room.transport.requestCount == 1)
    }

    @Test(arguments: ["removed", "damaged", "cut short"])
    func `a body that is lost between its head and its reading is loaded again`(_ how: String) async throws {
        try await store(1)
        let decoding = Gate()
        let room = room(
            decodeHook: { decoding.waitBlocking() }, options: { $0.undecodedBytes = 1 },
            answering: { request in
                let body = StoredBodyTests.body(blue: 7)
                return HTTPResponse(url: request.url, status: 200, body: HTTPBody(body))
            })
        let first = Task { try await room.loader.fetch(ImageRequest(source: .data(PlainDecoder.data()))) }
        await decoding.waitForWaiters(1)
        let second = Task { try await room.loader.fetch(URL.photo(1)) }
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        for path in try blobs() {
            switch how {
            case "removed": try FileManager.default.removeItem(atPath: path)
            case "damaged": try Data(repeating: 0, count: StoredBodyTests.body().count).write(to: URL(filePath: path))
            default: try Data(repeating: 0, count: 10).write(to: URL(filePath: path))
            }
        }
        decoding.open()
        _ = try await first.value
        #expect(try await second.value.blue == 7)
        #expect(room.transport.requestCount == 1)
    }

    @Test func `a body that another one replaces before it is read is looked up once more`() async throws {
        try await store(1)
        let decoding = Gate()
        let room = room(decodeHook: { decoding.waitBlocking() }, options: { $0.undecodedBytes = 1 })
        let first = Task { try await room.loader.fetch(ImageRequest(source: .data(PlainDecoder.data()))) }
        await decoding.waitForWaiters(1)
        let second = Task { try await room.loader.fetch(URL.photo(1)) }
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        let disk = try #require(room.loader.diskStore)
        let other = self.room(
            options: { $0.disk = .store(disk) },
            answering: { request in
                HTTPResponse(
                    url: request.url, status: 200, fields: ["Cache-Control": "max-age=600"],
                    body: HTTPBody(StoredBodyTests.body(blue: 7)))
            })
        var again = ImageRequest(.photo(1))
        again.policy = .reloadIgnoringCache
        try await other.fetchAndFlush(again)
        decoding.open()
        _ = try await first.value
        #expect(try await second.value.blue == 7)
        #expect(room.transport.requestCount == 0)
    }

    @Test func `asked for the cache alone, a body that is lost is not in the cache`() async throws {
        try await store(1)
        let room = room()
        for path in try blobs() { try FileManager.default.removeItem(atPath: path) }
        var request = ImageRequest(.photo(1))
        request.policy = .returnCacheDontLoad
        #expect(await imageError { try await room.loader.fetch(request) }?.code == .notInCache)
        #expect(room.transport.requestCount == 0)
    }

    @Test func `a file that changes between the look and the reading is read as it is then`() async throws {
        let file = TemporaryFolder()
        let url = URL(filePath: file.path)
        try StoredBodyTests.body(blue: 1).write(to: url)
        let decoding = Gate()
        let room = room(decodeHook: { decoding.waitBlocking() }, options: { $0.undecodedBytes = 1 })
        let first = Task { try await room.loader.fetch(ImageRequest(source: .data(PlainDecoder.data()))) }
        await decoding.waitForWaiters(1)
        let second = Task { try await room.loader.fetch(ImageRequest(source: .file(url))) }
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        try StoredBodyTests.body(blue: 2).write(to: url, options: .atomic)
        decoding.open()
        _ = try await first.value
        #expect(try await second.value.blue == 2)
    }

    /// The loader used to hold the first body while it requested one that another flight was to bring.
    @Test func `little room, a changed image and a step do not hang each other`() async throws {
        let version = Counter()
        let room = room(
            options: {
                $0.undecodedBytes = 1
                $0.downloads = 1
                $0.codecThreads = 1
                $0.storage = .all
            },
            answering: { request in
                let body = StoredBodyTests.body(blue: UInt8(version.next()))
                return HTTPResponse(
                    url: request.url, status: 200,
                    fields: ["Cache-Control": "no-cache", "ETag": "\"\(version.count)\""],
                    body: .chunks(of: body, size: 10_000, gate: Gate(isOpen: true)))
            })
        for _ in 0..<3 {
            let tasks = (1...4).map { radius in
                Task {
                    var request = ImageRequest(.photo(radius % 2))
                    request.steps = [ImageSteps.RoundedCorners(radius: Double(radius)), CountingStep("last")]
                    return try await room.loader.fetch(request).width
                }
            }
            for task in tasks { #expect(try await task.value == 4) }
        }
        await waitUntil { room.loader.statistics.undecodedBytes == 0 }
    }
}
