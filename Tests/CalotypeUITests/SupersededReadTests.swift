import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import CalotypeUI
import Dispatch
import Foundation
import Requirements
import Testing
import Waiting

/// B48: an image that a view has requested from disk, and then replaced, is neither decoded nor kept in memory.
@MainActor
@Suite struct SupersededReadTests {
    private let folder = NSTemporaryDirectory() + "calotype-tests-" + UUID().uuidString
    private let decoder = NamingDecoder()
    private let store: DiskStore

    init() { store = DiskStore(directory: folder) }

    /// Returns a room with an empty loader. Each image's bytes name it.
    private func room() -> Room {
        Room(edit: { [store, decoder] in
            $0.disk = .store(store)
            $0.decoders.register(decoder)
            $0.codecThreads = 1
        }) { request in
            HTTPResponse(
                url: request.url, status: 200, fields: ["Cache-Control": "max-age=60"],
                body: HTTPBody(NamingDecoder.data(request.url.lastPathComponent)))
        }
    }

    /// Stores the images "stored" and "large" on disk, the latter in a separate file.
    private func fill() async throws {
        let room = room()
        for name in ["stored", "large"] { _ = try await room.loader.fetch(.photo(name)) }
        try await store.flush()
        decoder.forget()
    }

    private func model(_ room: Room) -> (ImageModel, Names) {
        let shown = Names()
        var options = room.options
        options.observer = { shown.add($0.bitmap.width) }
        return (ImageModel(options), shown)
    }

    private func expectOnlyTheLatest(_ room: Room, _ model: ImageModel, _ shown: Names) async {
        await waitUntil { model.state.image != nil && room.loader.statistics.images == 0 }
        #expect(decoder.names.filter { $0 != "blocker" } == ["latest"])
        #expect(room.loader.cachedImage(for: .photo("stored")) == nil)
        #expect(room.loader.cachedImage(for: .photo("large")) == nil)
        #expect(shown.all == [NamingDecoder.width(of: "latest")])
    }

    @Test(.requirement("B48"), arguments: ["stored", "large"])
    func `superseded when its bytes have come from the disk`(name: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await fill()
        let room = room()
        let (model, shown) = model(room)
        // The one codec thread is busy, so that the bytes read wait.
        let release = DispatchSemaphore(value: 0)
        decoder.block("blocker", until: release)
        let blocker = Task { try await room.loader.fetch(ImageRequest(source: .data(NamingDecoder.data("blocker")))) }
        await waitUntil { decoder.names == ["blocker"] }
        model.request = .photo(name)
        await waitUntil { room.loader.statistics.codecQueue == 1 }
        #expect(room.transport.requestCount == 0)
        model.request = .photo("latest")
        // The old load has left, and the new one waits behind the blocker.
        await waitUntil {
            let statistics = room.loader.statistics
            return statistics.images == 2 && statistics.codecQueue == 1 && room.transport.requestCount == 1
        }
        release.signal()
        _ = try await blocker.value
        await expectOnlyTheLatest(room, model, shown)
    }

    @Test(.requirement("B48")) func `superseded while it waits for the disk`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await fill()
        let room = room()
        let (model, shown) = model(room)
        let release = DispatchSemaphore(value: 0)
        let readers = (0..<2).map { [store] _ in
            Task { try await store.readerThreads.run { () throws(StoreError) in release.wait() } }
        }
        await waitUntil { store.readerThreads.load.running == 2 }
        model.request = .photo("stored")
        await waitUntil { store.readerThreads.load.waiting == 1 }
        model.request = .photo("latest")
        await waitUntil { room.loader.statistics.images == 1 && store.readerThreads.load.waiting == 1 }
        for _ in readers { release.signal() }
        for reader in readers { try await reader.value }
        await expectOnlyTheLatest(room, model, shown)
    }
}

/// The images shown, in order.
@MainActor
private final class Names {
    private(set) var all: [Int] = []

    func add(_ width: Int) { all.append(width) }
}

/// A format of these tests: "NAMED name", then padding. Records the names of decoded images.
private final class NamingDecoder: ImageDecoder {
    private struct State {
        var names: [String] = []
        var blocked: String?
        var release: DispatchSemaphore?
    }

    private let state = Locked(State())

    var names: [String] { state.withLock { $0.names } }

    func forget() { state.withLock { $0.names = [] } }

    /// Makes the decode of this image wait on its thread.
    func block(_ name: String, until release: DispatchSemaphore) {
        state.withLock { ($0.blocked, $0.release) = (name, release) }
    }

    static func data(_ name: String) -> Data {
        // Larger than the limit for bodies in the store's index.
        Data("NAMED \(name) ".utf8) + Data(count: name == "large" ? 100_000 : 0)
    }

    static func width(of name: String) -> Int { name.utf8.count }

    private func name(_ data: Data) -> String { String(decoding: data.split(separator: 0x20)[1], as: UTF8.self) }

    func header(of data: Data) throws(CodecError) -> ImageHeader? {
        guard data.starts(with: Data("NAMED ".utf8)) else { return nil }
        return ImageHeader(
            format: ImageFormat(rawValue: "named"), width: NamingDecoder.width(of: name(data)), height: 1)
    }

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { 4 * size.result.width }

    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        let name = name(data)
        let release = state.withLock { state in
            state.names.append(name)
            return state.blocked == name ? state.release : nil
        }
        release?.wait()
        return try Bitmap(width: size.result.width, height: 1, hasAlpha: false) { pixels, _ in
            pixels.initializeMemory(as: UInt8.self, repeating: 255)
        }
    }
}
