import Calotype
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTransport
import Foundation

/// Measures the peak memory and the speed of a body that is stored on disk while it is read.
enum StreamUse {
    /// - Parameter words: a directory, and URLs to load one after the other.
    /// - Returns: "2000000000 1.25 9000000 network": for each URL the length, the seconds, the growth of the process's peak
    ///   since its start in bytes, and the source.
    static func lines(_ words: [String]) async throws -> String {
        guard let directory = words.first else { return "a directory, and URLs" }
        var options = DiskStoreOptions()
        options.byteLimit = 20_000_000_000
        let disk = DiskStore(directory: directory, options: options)
        let cache = HTTPCache(rules: CacheRules(.private), store: DiskHTTPCacheStore(disk))
        let transport = CurlTransport().cached(in: cache)
        let before = BurstMemory.peakBytes
        var lines: [String] = []
        for url in words.dropFirst().compactMap({ URL(string: $0) }) {
            let start = ContinuousClock.now
            let response = try await transport.send(HTTPRequest(url))
            var count = 0
            for try await chunk in response.body { count += chunk.count }
            let time = (ContinuousClock.now - start) / .seconds(1)
            let source = response.cacheOutcome?.source.rawValue ?? "-"
            lines.append("\(count) \(time) \(BurstMemory.peakBytes - before) \(source)")
        }
        try await disk.close()
        return lines.joined(separator: "\n")
    }
}
