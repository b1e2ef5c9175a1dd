import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import CalotypeTransport
import Foundation

/// A cache over a real connection to a real origin, with a clock that the test moves.
struct CacheHarness {
    let origin: OriginServer
    let clock: ManualClock
    let store: MemoryHTTPCacheStore
    let cache: HTTPCache
    let transport: any Transport
    let problems = Problems()

    init(
        _ rules: CacheRules = CacheRules(.private), origin: OriginServer? = nil, clock: ManualClock = ManualClock(),
        store: MemoryHTTPCacheStore = MemoryHTTPCacheStore(), base: (any Transport)? = nil,
        options: HTTPCacheOptions = HTTPCacheOptions(),
        partition: @escaping @Sendable (HTTPRequest) -> ByteString = { _ in "" }
    ) throws {
        self.origin = try origin ?? OriginServer()
        self.clock = clock
        self.store = store
        let problems = problems
        var options = options
        options.bodyDigest = { FirstBytes() }
        cache = HTTPCache(
            rules: rules, store: store, options: options, wallClock: clock.wall, partition: partition,
            onProblem: { problems.add("\($0)") })
        if let base { transport = cached(base, cache) } else { transport = CurlTransport().cached(in: cache) }
    }

    func request(_ path: String, _ fields: HTTPFields = [:], method: HTTPMethod = .get) -> HTTPRequest {
        HTTPRequest(origin.url(path), method: method, fields: fields)
    }

    func send(
        _ path: String, _ fields: HTTPFields = [:], method: HTTPMethod = .get,
        policy: HTTPCachePolicy = .useProtocol
    ) async throws -> Answer {
        var request = request(path, fields, method: method)
        request.cachePolicy = policy
        return try await Answer(transport.send(request))
    }

    func text(_ path: String, _ fields: HTTPFields = [:]) async throws -> String {
        try await send(path, fields).text
    }

    /// The clock's present time, in the form of a Date field.
    var date: ByteString { HTTPDate.format(clock.wall.now) }
}

private func cached(_ base: some Transport, _ cache: HTTPCache) -> any Transport { base.cached(in: cache) }

/// The first 64 bytes of a body as its digest.
private final class FirstBytes: RunningDigest {
    private var bytes = Data()

    func add(_ more: Data) { bytes += more.prefix(64 - bytes.count) }
    func text() -> String { String(decoding: bytes, as: UTF8.self) }
}

/// A response with its body read.
struct Answer {
    let response: HTTPResponse
    let body: Data

    init(_ response: HTTPResponse) async throws {
        self.response = response
        body = try await response.body.collect()
    }

    var status: Int { response.status }
    var text: String { String(decoding: body, as: UTF8.self) }
    var cacheStatus: ByteString { response.fields["Cache-Status"] ?? "" }
    var source: CacheOutcome.Source? { response.cacheOutcome?.source }

    subscript(_ name: CaselessString) -> ByteString? { response.fields[name] }
}

final class Problems: Sendable {
    private let list = Locked([String]())

    func add(_ problem: String) { list.withLock { $0.append(problem) } }
    var all: [String] { list.withLock { $0 } }
}

extension OriginReply {
    /// Returns a reply with a text and a freshness lifetime.
    static func text(
        _ text: String, status: Int = 200, cache: ByteString? = nil, tag: ByteString? = nil, date: ByteString? = nil,
        _ more: HTTPFields = [:]
    ) -> OriginReply {
        var fields = more
        fields["Content-Type"] = "text/plain"
        if let cache { fields["Cache-Control"] = cache }
        if let tag { fields["ETag"] = tag }
        if let date { fields["Date"] = date }
        return OriginReply(status: status, fields: fields, body: Data(text.utf8))
    }
}
