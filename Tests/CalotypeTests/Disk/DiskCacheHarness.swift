import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import CalotypeTransport
import Foundation

/// A cache over a directory, in one process.
struct DiskCacheHarness {
    let disk: DiskStore
    let store: DiskHTTPCacheStore
    let cache: HTTPCache
    let transport: any Transport
    let problems = Locked([String]())

    init(
        in folder: TemporaryFolder, clock: ManualClock, memory: Int = 0,
        inlineLimit: Int? = nil, byteLimit: Int? = nil, connections: Int? = nil
    ) {
        var options = DiskStoreOptions()
        options.maximumAge = nil
        if let inlineLimit { options.inlineLimit = inlineLimit }
        if let byteLimit { options.byteLimit = byteLimit }
        let problems = problems
        let report: @Sendable (Any) -> Void = { problem in problems.withLock { $0.append("\(problem)") } }
        disk = DiskStore(directory: folder.path, options: options, wallClock: clock.wall, onProblem: { report($0) })
        store = DiskHTTPCacheStore(disk, memory: memory, onProblem: { report($0) })
        cache = HTTPCache(
            rules: CacheRules(.private), store: store, wallClock: clock.wall, onProblem: { report($0) })
        var network = CurlTransport.Options()
        if let connections { (network.connectionsPerHost, network.transferLimit) = (connections, connections) }
        transport = CurlTransport(options: network).cached(in: cache)
    }

    var allProblems: [String] { problems.withLock { $0 } }

    func get(_ url: URL, _ fields: HTTPFields = [:]) async throws -> (source: String, body: Data) {
        let response = try await transport.send(HTTPRequest(url, fields: fields))
        return (response.cacheOutcome?.source.rawValue ?? "", try await response.body.collect())
    }

    func text(_ url: URL, _ fields: HTTPFields = [:]) async throws -> String {
        let answer = try await get(url, fields)
        return "\(answer.source): \(String(decoding: answer.body, as: UTF8.self))"
    }
}

extension OriginReply {
    static func fresh(
        _ text: String, for seconds: Int = 60, tag: String = "\"1\"", _ clock: ManualClock, _ more: HTTPFields = [:]
    ) -> OriginReply {
        var fields = more
        fields["Cache-Control"] = "max-age=\(seconds)"
        fields["ETag"] = ByteString(tag)
        fields["Date"] = HTTPDate.format(clock.wall.now)
        return OriginReply(fields: fields, body: Data(text.utf8))
    }
}
