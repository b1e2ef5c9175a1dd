import CalotypeBase
import CalotypeStore
import CalotypeTesting
import Foundation
import TestFiles

/// A store in a temporary directory, with a clock that the test moves, and its reported problems.
struct StoreHarness {
    let directory: TestDirectory
    let clock: ManualClock
    let problems = ProblemLog()
    let store: DiskStore

    init(
        in directory: TestDirectory = TestDirectory(), clock: ManualClock = ManualClock(),
        _ configure: (inout DiskStoreOptions) -> Void = { _ in }
    ) {
        var options = DiskStoreOptions()
        configure(&options)
        self.directory = directory
        self.clock = clock
        store = DiskStore(
            directory: directory.path, options: options, wallClock: clock.wall, clock: clock,
            onProblem: { [problems] in problems.add($0) })
    }

    /// Opens the same directory, as another process or a restart of this process would.
    func another(_ configure: (inout DiskStoreOptions) -> Void = { _ in }) -> StoreHarness {
        StoreHarness(in: directory, clock: clock, configure)
    }

    func text(_ key: ByteString) async throws -> String? {
        try await store.entry(for: key).map { String(decoding: $0.body, as: UTF8.self) }
    }

    func store(_ text: String, for key: ByteString) async throws {
        try await store.store(Data(text.utf8), for: key)
    }
}

final class ProblemLog: Sendable {
    private let problems = Locked<[StoreProblem]>([])

    func add(_ problem: StoreProblem) { problems.withLock { $0.append(problem) } }
    var all: [StoreProblem] { problems.withLock { $0 } }
    var codes: [StoreProblem.Code] { all.map(\.code) }
}
