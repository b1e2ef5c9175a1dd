/// Where to listen: "127.0.0.1:8080", "[::1]:8080", or a port alone for this machine.
struct ListenPlace: Hashable, Sendable {
    let host: String
    let port: Int

    init(_ text: String) throws(UsageError) {
        let colon = text.lastIndex(of: ":")
        let host = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        guard let port = Int(digits), (0...65_535).contains(port), !host.isEmpty else {
            throw UsageError("--serve takes HOST:PORT, such as 127.0.0.1:8080, not '\(text)'", command: "demo")
        }
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }
}

/// Something that never happens.
enum Forever {
    /// Returns when the task is cancelled, and not before.
    static func wait() async {
        let (events, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in events {}
        continuation.finish()
    }
}
