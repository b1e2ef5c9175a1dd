import CalotypeTesting
import TestSupport
import Foundation

/// haproxy in front of several nodes, which sends all sizes of a source to the same one.
final class Haproxy {
    /// A node's ports for clients and for operators.
    struct Node {
        let port: UInt16
        let adminPort: UInt16
    }

    static var executable: String? { Tool.path("haproxy") }

    let url: String
    private let pages: String
    private let process = Process()
    private let scratch: ScratchDirectory

    init(executable: String, _ nodes: [Node]) throws {
        scratch = try ScratchDirectory()
        let (port, pagePort) = (try freePort(), try freePort())
        url = "http://127.0.0.1:\(port)"
        pages = "http://127.0.0.1:\(pagePort)"
        let file = "\(scratch.path)/haproxy.cfg"
        try Self.configuration(nodes, port, pages: pagePort).write(toFile: file, atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = ["-f", file, "-db"]
        process.standardInput = FileHandle.nullDevice
        // Each change of a node is a line.
        process.standardError = FileHandle.nullDevice
        try process.start(on: port, "haproxy")
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// Waits until the balancer sends requests to a node, for 30 seconds at most.
    func waitUntilUp(_ node: Int) async throws {
        let client = ThumbnailClient()
        for _ in 0..<1500 {
            let page = try await client.thumbnail("\(pages)/nodes;csv")
            let lines = String(decoding: page, as: UTF8.self).split(separator: "\n")
            if lines.contains(where: { $0.hasPrefix("nodes,node\(node),") && $0.contains(",UP,") }) { return }
            // The page of haproxy, another process, is the only sign of its checks.
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BenchError("the balancer does not find node \(node)")
    }

    /// Returns `Examples/haproxy/haproxy.cfg` with other addresses, and pages for ``waitUntilUp(_:)``. Benchmarks run in the
    /// repository's folder.
    private static func configuration(_ nodes: [Node], _ port: UInt16, pages: UInt16) throws -> String {
        let example = try String(contentsOfFile: "Examples/haproxy/haproxy.cfg", encoding: .utf8)
        let lines = example.split(separator: "\n").filter { !$0.hasPrefix("    server ") }
        let listening = lines.map { $0 == "    bind :8090" ? "    bind 127.0.0.1:\(port)" : $0 }
        guard listening != lines else { throw BenchError("Examples/haproxy/haproxy.cfg listens elsewhere") }
        let servers = nodes.enumerated().map { number, node in
            "    server node\(number) 127.0.0.1:\(node.port) port \(node.adminPort) id \(number + 1)"
        }
        let pages = ["listen pages", "    bind 127.0.0.1:\(pages)", "    stats enable", "    stats uri /nodes", ""]
        return (listening.map(String.init) + servers + pages).joined(separator: "\n")
    }
}
