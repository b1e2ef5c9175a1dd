import CalotypeServer
import CalotypeTesting
import TestSupport
import Foundation
import ServeMix

/// Random requests around the limits of a server that has little of everything, after the other load of a soak.
struct SoakMix {
    struct Result {
        let operations: Int
        let statuses: [Int: Int]
        /// The answers that were not what their requests ask for, and what the server did not give back.
        let faults: [String]
    }

    private static let memory = 200_000_000
    private static let queue = 8

    let folder: String
    let seed: UInt64

    /// Sends rounds of requests until the time is over.
    func run(for time: Duration) async throws -> Result {
        let root = "\(folder)/mix"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try ServeMix.writeFiles { try $0.write(to: URL(fileURLWithPath: "\(root)/\($1)")) }
        let server = try CalotypeProcess.serve(
            root: root, store: "\(folder)/mix-store",
            options: ["--memory", "\(Self.memory / 1_000_000)MB", "--queue", "\(Self.queue)", "--admin", "127.0.0.1:0"])
        guard let port = URL(string: server.url)?.port else { throw BenchError("\(server.url) has no port") }
        // An unsigned path is a wrong answer, which the report then has.
        let mix = ServeMix(port: port, seed: seed) { (try? ThumbnailURL.signed($0)) ?? $0 }
        var options = RenditionServer.Options(root: root)
        options.memory.limit = Self.memory
        let limit = options.shares.connectionLimit
        let end = ContinuousClock.now + time
        try mix.learn()
        var faults: [String] = []
        repeat {
            for clients in [1, Self.queue - 1, Self.queue, Self.queue + 1, limit - 1, limit, limit + 1, 2 * limit] {
                try mix.run(200, clients: clients)
            }
            if let fault = try await held(by: server) { faults.append(fault) }
        } while ContinuousClock.now < end && faults.isEmpty && mix.wrong.count < 20
        server.end(by: SIGTERM)
        return Result(
            operations: mix.operations, statuses: mix.statuses, faults: mix.wrong.map(\.description) + faults)
    }

    /// Returns what the server still holds a minute after its last client has left; `nil` if it has given everything back.
    private func held(by server: CalotypeProcess) async throws -> String? {
        guard let port = server.adminURL.flatMap({ URL(string: $0)?.port }) else { return "no metrics" }
        let shares = ["connections", "decodes", "undecoded"]
        let names = ["in_flight"] + shares.map { "memory_used_bytes{share=\"\($0)\"}" }
        var held: [Substring] = []
        for _ in 0..<600 {
            let client = try RawClient(port: port)
            try client.send("GET /.calotype/metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            let lines = await client.receive().split(whereSeparator: \.isNewline)
            held = lines.filter { line in
                names.contains { line.hasPrefix("calotype_serve_\($0) ") } && !line.hasSuffix(" 0")
            }
            if held.isEmpty { return nil }
            try await Task.sleep(for: .milliseconds(100))
        }
        return "still held: \(held.joined(separator: ", "))"
    }
}
