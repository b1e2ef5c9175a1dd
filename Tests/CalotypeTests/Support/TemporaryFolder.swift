import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation

/// A temporary path, removed with this object.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "calotype-tests-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns a fixture with a disk store in this folder.
    func room(
        clock: ManualClock? = nil, gate: Gate = Gate(isOpen: true), decodeHook: (@Sendable () -> Void)? = nil,
        options change: (inout ImageLoaderOptions) -> Void = { _ in },
        answering answer: @escaping FakeTransport.Answer = { request in .picture(request) }
    ) -> LoaderFixture {
        LoaderFixture(
            gate: gate, decodeHook: decodeHook,
            options: {
                $0.disk = .store(DiskStore(directory: path, wallClock: clock?.wall ?? .system))
                if let clock { $0.wallClock = clock.wall }
                change(&$0)
            }, answering: answer)
    }
}

extension LoaderFixture {
    /// Loads an image, and waits until its stored parts are on disk, where other stores find them.
    func fetchAndFlush(_ request: ImageRequest) async throws {
        _ = try await loader.fetch(request)
        try await loader.diskStore?.flush()
    }
}
