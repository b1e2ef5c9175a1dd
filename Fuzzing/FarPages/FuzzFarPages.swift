import CalotypeBase
import CalotypeFuzzSupport
import CalotypeHTTP
import CalotypeHTTPCache
import Dispatch
import Foundation

@testable import CalotypeServer

private let cacheKey: ByteString = "v1.1/w:64/plain/https://example.com/a.jpg"
private let key: ByteString = "4096 16000000 50000000 - key v1.1/w:64/plain/https://example.com/a.jpg"

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        var fields: HTTPFields = ["ETag": "\"a\"", "Content-Type": "image/png", "Cache-Control": "public, max-age=5"]
        fields.protect()
        let result = StoredResponse(
            url: "http://renditions.invalid/", status: 200, fields: fields, requestTime: 1_767_225_600.5,
            responseTime: 1_767_225_601, bodyLength: 5)
        let source = StoredResponse(
            url: "https://example.com/a.jpg", status: 200, fields: ["Cache-Control": "max-age=9", "Age": "3"],
            requestTime: 0, responseTime: 0, bodyLength: 10)
        var head = StoredVariant(id: 7, head: source, body: nil)
        (head.digest, head.lacksBody) = ("0123", true)
        let body = StoredVariant(id: 8, head: result, body: Data("image".utf8))
        return [nil, head].compactMap { FarPage(written: 1_767_225_600, result: body, source: $0).encoded(for: key) }
    }
}

/// Reads a page with the right key and digest, whose rest a writer of the bucket has chosen. A page that is read stays the
/// same when it is written and read again, and ends no node that looks it up.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let given = input(bytes, count)
    _ = try? FarPage(given, key: key)
    let sealed = FarPage.sealed(given, key: key)
    guard let page = try? FarPage(sealed, key: key) else { return 0 }
    checkCopy(of: page)
    let end = DispatchSemaphore(value: 0)
    Task.detached {
        await lookUp(sealed, at: Double(page.written))
        end.signal()
    }
    end.wait()
    return 0
}

private func checkCopy(of page: FarPage) {
    guard let again = page.encoded(for: key).flatMap({ try? FarPage($0, key: key) }) else {
        require(page.result.body.map { $0.count > 900_000 } ?? false, "a page that was read cannot be written: \(page)")
        return
    }
    require(
        again.written == page.written && again.result.head == page.result.head && again.result.body == page.result.body
            && again.source?.head == page.source?.head && again.source?.digest == page.source?.digest,
        "a page changes when it is written and read: \(page)")
}

/// Has a node with an empty near store look a page up, at a time at which the page is new and at others, and use it.
private func lookUp(_ page: Data, at time: Double) async {
    for now in [time, 1_767_225_602, 4_102_444_800] {
        guard let node = try? Node(page, now: now) else { return }
        for _ in 0..<3 {
            var request = HTTPRequest(RenditionAnswers.url)
            request.cacheKey = cacheKey
            guard let response = try? await node.results.send(request) else { continue }
            require(
                response.fields.allSatisfy { $0.name.isHTTPToken && $0.value.isFieldContent },
                "a field that cannot be sent: \(response.fields)")
            require(!response.fields.contains("Set-Cookie"), "a field that no server writes")
            _ = StoredState(response.cacheOutcome, now: now)
        }
        _ = await node.sources.head(of: "https://example.com/a.jpg")
    }
}

/// The stores of a node and its far store, which has one page.
private struct Node {
    let results: any Transport
    let sources: FarSources

    init(_ page: Data, now: Double) throws {
        var options = RenditionServer.Options(root: "/")
        try options.sources.allowed.allow("https://example.com")
        let clock = WallClock { now }
        let basis = ServerBasis(options, ServerClocks(wallClock: clock))
        let near = MemoryHTTPCacheStore(byteLimit: 1 << 20)
        let far = try FarOptions("s3://results/a").half(
            options.making, options.sources, near, objects: OneObject(data: page), basis: basis)
        let tiered = try TieredHTTPCacheStore(
            near: MemoryHTTPCacheStore(byteLimit: 4 << 20), far: far, rules: .shared, purges: PurgeList(), clock,
            onProblem: { _ in })
        let cache = HTTPCache(rules: .shared, store: tiered, options: HTTPCacheOptions(), wallClock: clock)
        results = Unreachable().cached(in: cache)
        sources = FarSources(store: near) { [allowed = options.sources.allowed] in allowed }
    }
}

private struct OneObject: ObjectStore {
    let data: Data

    func read(_ name: ByteString, limit: Int) async throws(TransportError) -> Data? { data }
    func store(_ data: Data, as name: ByteString) async throws(TransportError) {}
    func remove(_ name: ByteString) async throws(TransportError) {}
    func list(_ prefix: ByteString, after last: ByteString?) async throws(TransportError) -> ObjectList {
        ObjectList(names: [], next: nil)
    }
}

private struct Unreachable: Transport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.cannotConnect, "nothing is loaded here")
    }
}
