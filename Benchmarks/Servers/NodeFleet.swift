import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation

/// Three servers behind a balancer, each with a store on disk, and the origin of their sources.
final class NodeFleet {
    private static let token = "benchmark-token-of-32-characters"

    let origin: OriginServer
    private let balancer: Haproxy
    private let folder: ScratchDirectory
    private let places: [Haproxy.Node]
    private let options: [String]
    private var processes: [CalotypeProcess?]
    /// The number of disks that each node has had.
    private var disks: [Int]

    /// Starts the nodes, and returns when the balancer knows all of them.
    ///
    /// - Parameters:
    ///   - photo: The body of each source.
    ///   - options: Further options of the nodes. Each knows the others' ports for operators.
    init(haproxy: String, photo: Data, options: [String] = []) async throws {
        origin = try OriginServer(threads: 2)
        let folder = try ScratchDirectory()
        let token = "\(folder.path)/token"
        try Self.token.write(toFile: token, atomically: true, encoding: .utf8)
        guard chmod(token, 0o600) == 0 else { throw BenchError("the file of the token cannot be protected") }
        let places = try (0..<3).map { _ in Haproxy.Node(port: try freePort(), adminPort: try freePort()) }
        (self.folder, self.places) = (folder, places)
        let nodes = places.map { "127.0.0.1:\($0.adminPort)" }.joined(separator: ",")
        self.options =
            options + ["--admin-token", token, "--nodes", nodes, "--drain-delay", "1", "--log", "none"]
        processes = places.map { _ in nil }
        disks = places.map { _ in 0 }
        balancer = try Haproxy(executable: haproxy, places)
        origin.onAny { _ in Self.reply(photo) }
        for node in places.indices { try await start(node) }
    }

    /// A reply of the origin, fresh for a day.
    static func reply(_ photo: Data) -> OriginReply {
        OriginReply(
            fields: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=86400", "ETag": "\"\(photo.count)\""],
            body: photo)
    }

    /// The URL of the balancer.
    var url: String { balancer.url }

    /// The number of requests to the origin.
    var fetches: Int { origin.requestCount() }

    var count: Int { places.count }

    // MARK: Nodes

    /// The URL of a node for clients.
    func url(of node: Int) -> String { "http://127.0.0.1:\(places[node].port)" }

    func process(_ node: Int) throws -> CalotypeProcess {
        guard let process = processes[node] else { throw BenchError("node \(node) does not run") }
        return process
    }

    /// Starts a node, and returns when the balancer sends requests to it.
    func start(_ node: Int) async throws {
        try launch(node)
        try await process(node).becomeReady()
        try await balancer.waitUntilUp(node)
    }

    /// Starts a node, and returns when it listens.
    func launch(_ node: Int) throws {
        processes[node] = try .serve(
            root: folder.path, allowed: origin.url.absoluteString,
            store: "\(folder.path)/node-\(node)-\(disks[node])", port: places[node].port,
            options: options + ["--admin", "127.0.0.1:\(places[node].adminPort)"])
    }

    func end(_ node: Int, by signal: Int32 = SIGTERM) {
        processes[node]?.end(by: signal)
        processes[node] = nil
    }

    /// Gives a node that has ended an empty disk.
    func replaceDisk(of node: Int) { disks[node] += 1 }

    /// A client of a node's port for operators.
    func purger(_ node: Int) -> Purger {
        Purger(admin: "http://127.0.0.1:\(places[node].adminPort)", token: Self.token)
    }

    // MARK: Images

    /// Returns four sizes of each of the sources whose names begin with a text.
    func thumbnails(of name: String, sources: Int) throws -> [String] {
        try (0..<sources).flatMap { number in
            try [100, 200, 300, 400].map { width in
                try url + ThumbnailURL.path(origin.url("/\(name)-\(number).jpg").absoluteString, width: width)
            }
        }
    }

    /// Requests each of these once.
    func load(_ urls: [String], connections: Int = 12) async throws {
        let client = ThumbnailClient(connections: connections)
        try await inTasks(connections, urls) { _ = try await client.thumbnail($0) }
    }
}
