import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// Measures the memory that a cache really takes, while nothing else runs.
enum MemoryUse {
    /// - Parameter numbers: the store's limit, the number of one-byte responses to load once and request twice more,
    ///   and the length of a field that Vary names.
    /// - Returns: "20971520 16777216": the growth of the process and the size that the store counts, in bytes.
    static func line(_ numbers: [Int]) async -> String {
        guard numbers.count == 3 else { return "three numbers" }
        // First, so that one-time allocations do not count.
        _ = await filled(limit: numbers[0], count: 100, length: numbers[2])
        let before = residentBytes
        let store = await filled(limit: numbers[0], count: numbers[1], length: numbers[2])
        return "\(residentBytes - before) \(store.byteCount)"
    }

    private static func filled(limit: Int, count: Int, length: Int) async -> MemoryHTTPCacheStore {
        let store = MemoryHTTPCacheStore(byteLimit: limit)
        let cache = HTTPCache(rules: CacheRules(.shared), store: store)
        let transport = Origin().cached(in: cache)
        for number in 0..<count {
            guard let url = URL(string: "http://127.0.0.1/thumbnails/\(number).jpg?size=200") else { continue }
            let name = ByteString(String(repeating: "x", count: max(0, length - 8)) + "\(10_000_000 + number)")
            let request = HTTPRequest(url, fields: length > 0 ? ["X-Client": name] : [:])
            _ = try? await transport.send(request).body.collect()
            for _ in 1...2 { _ = cache.immediateAnswer(to: request, make: Made.init) }
        }
        return store
    }

    /// The response prepared for sending, as a server would keep it.
    private final class Made: Sendable {
        let head: [UInt8]

        init(_ response: HTTPResponse) {
            head = response.fields.flatMap { $0.name.spelling.bytes + [0x3A, 0x20] + $0.value.bytes + [0x0D, 0x0A] }
        }
    }

    private struct Origin: Transport {
        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            // Separate bytes for each response, as from a connection.
            let lines = [
                "Server: origin", "Date: \(HTTPDate.format(Date().timeIntervalSince1970))", "Content-Length: 1",
                "Cache-Control: max-age=86400", "Content-Type: application/octet-stream", "Vary: X-Client",
            ]
            var fields = HTTPFields()
            for line in lines.map({ ByteString($0).split(separator: 0x3A, maxSplits: 1) }) {
                fields.append(line[1].trimmed, to: CaselessString(line[0]))
            }
            if request.fields.isEmpty { fields["Vary"] = nil }
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(Data([7])))
        }
    }

    private static var residentBytes: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
