import Foundation

/// One of several servers that share an object store.
extension CalotypeProcess {
    /// Starts a thumbnail server with an admin port, and returns when it is ready.
    ///
    /// - Parameters:
    ///   - options: Options such as those of ``ObjectStoreProcess``.
    ///   - isQuiet: Whether to leave out its reports of a store that fails.
    static func node(
        _ options: [String], allowed: String? = nil, store: String? = nil, port: UInt16 = 0,
        isQuiet: Bool = false
    ) async throws -> CalotypeProcess {
        let node = try serve(
            // No source is local.
            root: "/usr/share", allowed: allowed, store: store, port: port,
            options: options + ["--admin", "127.0.0.1:0", "--log", "none"], onBytes: isQuiet ? ignore : nil)
        try await node.becomeReady()
        return node
    }

    @Sendable private static func ignore(_ bytes: UnsafeRawBufferPointer) {}

    /// Waits until the server is ready, for 30 seconds at most.
    func becomeReady() async throws {
        guard let adminURL else { throw BenchError("the server has no admin port") }
        let client = ThumbnailClient()
        for _ in 0..<600 {
            if try await client.answer("\(adminURL)/.calotype/ready").status == 200 { return }
            // Load balancers learn that a node is ready in the same way.
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchError("the server does not become ready")
    }

    /// The number of images that it has decoded.
    func decodes() async throws -> Int { Int(try await metric("decode_seconds_count")) }

    /// Returns the sum of a metric over all its labels.
    func metric(_ name: String) async throws -> Double {
        guard let adminURL else { throw BenchError("the server has no admin port") }
        let page = try await ThumbnailClient().thumbnail("\(adminURL)/.calotype/metrics")
        let lines = String(decoding: page, as: UTF8.self).split(separator: "\n").filter { line in
            line.prefix { $0 != "{" && $0 != " " } == "calotype_serve_\(name)"
        }
        return lines.reduce(0) { $0 + (Double($1.split(separator: " ").last ?? "") ?? 0) }
    }
}
