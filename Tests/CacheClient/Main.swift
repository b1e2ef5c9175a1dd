import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTransport
import Foundation

/// Loads URLs through an HTTP cache on disk, one after the other, and prints a line for each, so that tests can kill it
/// between any two steps or run several at once.
///
/// `calotype-cache-client DIRECTORY URL…` prints "200 network 12345 4a5b…": status, source, length, and a digest of the
/// body. "flush" in place of a URL completes pending writes, "validate" revalidates all following URLs.
///
/// With "memory", "burst", "stream" or "encode" in place of a directory it measures instead: see `MemoryUse`,
/// `BurstMemory`, `StreamUse` and `EncodingUse`.
@main
struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let directory = arguments.first else { return }
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        if directory == "encode" { return say(try EncodingUse.line(Array(arguments.dropFirst()))) }
        if directory == "burst" { return say(try await BurstMemory.line(numbers)) }
        if directory == "stream" { return say(try await StreamUse.lines(Array(arguments.dropFirst()))) }
        if directory == "memory" { return say(await MemoryUse.line(numbers)) }
        let disk = DiskStore(directory: directory) { say("problem \($0)") }
        let cache = HTTPCache(
            rules: CacheRules(.private), store: DiskHTTPCacheStore(disk, memory: 0), onProblem: { say("problem \($0)") }
        )
        let transport = CurlTransport().cached(in: cache)
        var fields: HTTPFields = [:]
        for word in arguments.dropFirst() {
            switch word {
            case "flush": try await disk.flush()
            case "validate": fields["Cache-Control"] = "max-age=0"
            default: say(await line(word, fields, transport))
            }
        }
        try await disk.close()
        say("done")
    }

    private static func line(_ text: String, _ fields: HTTPFields, _ transport: some Transport) async -> String {
        guard let url = URL(string: text) else { return "failed no URL" }
        do {
            let response = try await transport.send(HTTPRequest(url, fields: fields))
            let body = try await response.body.collect()
            let source = response.cacheOutcome?.source.rawValue ?? "-"
            return "\(response.status) \(source) \(body.count) \(digest(body))"
        } catch {
            return "failed \(error)"
        }
    }

    private static func digest(_ body: Data) -> String {
        String(body.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }

    /// Writes a line without buffering.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
