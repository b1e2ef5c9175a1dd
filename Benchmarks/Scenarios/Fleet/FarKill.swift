import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation

extension Scenario {
    /// The bodies that clients get while a node and its far store are killed.
    static let farKill = Scenario(
        name: "far-kill",
        summary: "calotype serve: wrong bodies while a node and its far store are killed in turn, 50 times"
    ) { bench in
        let subject = try await KilledNode()
        let clients = KilledNode.Clients(subject.url, subject.expected)
        for round in 0..<(bench.isQuick ? 10 : 50) {
            try await clients.waitForAnswers(20)
            if round.isMultiple(of: 2) {
                try await subject.killNode(keepingDisk: round.isMultiple(of: 4))
            } else {
                try subject.killStore()
            }
        }
        let (right, wrong) = await clients.end()
        guard right > 0 else { throw BenchError("no client got an answer") }
        bench.report(
            "far-kill", with: "none; one is added", unit: "wrong bodies", bar: .exactly(1), [(Double(wrong + 1), 1)])
    }
}

/// A node with a store on disk and a far store, whose objects are in files. Its sources are in another store.
private final class KilledNode {
    let url: String
    /// The right bodies, by path.
    let expected: [(path: String, body: Data)]
    private let folder: ScratchDirectory
    private let far: ObjectStoreProcess
    private let photos: ObjectStoreProcess
    private let port: UInt16
    private var node: CalotypeProcess?
    private var disks = 0

    init() async throws {
        folder = try ScratchDirectory()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/far", withIntermediateDirectories: true)
        (far, photos) = (try ObjectStoreProcess(directory: "\(folder.path)/far"), try ObjectStoreProcess())
        for number in 0..<20 {
            let photo = SamplePhotos.jpeg(width: 600, height: 450, seed: 10 + number)
            try await photos.put(photo, as: "photos/kill/\(number).jpg")
        }
        expected = try await Self.bodies(photos)
        port = try freePort()
        url = "http://127.0.0.1:\(port)"
        try await start()
    }

    /// Returns four sizes of each source, as a node without other stores makes them.
    private static func bodies(_ photos: ObjectStoreProcess) async throws -> [(path: String, body: Data)] {
        let node = try await CalotypeProcess.node(photos.sources)
        let client = ThumbnailClient()
        var bodies: [(path: String, body: Data)] = []
        for number in 0..<20 {
            for width in [100, 200, 300, 400] {
                let path = try ThumbnailURL.path("s3://photos/kill/\(number).jpg", width: width)
                bodies.append((path, try await client.thumbnail(node.url + path)))
            }
        }
        return bodies
    }

    private func start() async throws {
        node = try await .node(
            photos.sources + far.results("kill") + ["--far-writes", "all"], store: "\(folder.path)/disk-\(disks)",
            port: port, isQuiet: true)
    }

    func killNode(keepingDisk: Bool) async throws {
        node?.end(by: SIGKILL)
        if !keepingDisk { disks += 1 }
        try await start()
    }

    func killStore() throws { try far.restart() }

    /// Clients that request results at random until they are ended.
    final class Clients: Sendable {
        private let counts = Locked((right: 0, wrong: 0))
        private let isEnding = Locked(false)
        private let tasks: [Task<Void, Never>]

        init(_ url: String, _ expected: [(path: String, body: Data)]) {
            tasks = (0..<4).map { [counts, isEnding] number in
                Task {
                    let client = ThumbnailClient()
                    var random = SplitMix(seed: UInt64(number + 1))
                    while !isEnding.withLock({ $0 }) {
                        let wanted = expected[random.number(below: expected.count)]
                        // A node that is killed answers nothing, and a stopped one refuses.
                        guard let answer = try? await client.answer(url + wanted.path), answer.status == 200 else {
                            // Does not take the processors from the node that starts again.
                            try? await Task.sleep(for: .milliseconds(20))
                            continue
                        }
                        counts.withLock { counts in
                            if answer.body == wanted.body { counts.right += 1 } else { counts.wrong += 1 }
                        }
                    }
                }
            }
        }

        /// Waits until clients have got as many more answers, for 30 seconds at most.
        func waitForAnswers(_ count: Int) async throws {
            let before = counts.withLock { $0.right + $0.wrong }
            for _ in 0..<3000 {
                if counts.withLock({ $0.right + $0.wrong }) >= before + count { return }
                // The answers are those of other processes, in real time.
                try await Task.sleep(for: .milliseconds(10))
            }
            throw BenchError("a node gives fewer than \(count) answers")
        }

        func end() async -> (right: Int, wrong: Int) {
            isEnding.withLock { $0 = true }
            for task in tasks { await task.value }
            return counts.withLock { $0 }
        }
    }
}
