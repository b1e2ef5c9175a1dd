import Calotype
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import Foundation

extension Scenario {
    /// The cost of a lookup and its decision, which must not grow with the number of stored responses.
    static let freshnessFlat = Scenario(
        name: "freshness-flat",
        summary: "look-up and decision among 1,000,000 entries and among 10, on disk a tenth (--quick: a tenth of each)"
    ) { bench in
        let count = bench.isQuick ? 100_000 : 1_000_000
        try await inMemory(bench, count)
        try await onDisk(bench, count / 10)
    }

    private static func inMemory(_ bench: Bench, _ count: Int) async throws {
        let small = try await StoredPhotos(10, in: MemoryHTTPCacheStore())
        let large = try await StoredPhotos(count, in: MemoryHTTPCacheStore(byteLimit: 1 << 40))
        // Reads of the same ten entries in both stores show the cost of having more entries. Reads of arbitrary entries
        // add the processor's cache misses.
        for (name, range, bar) in [("", 10, 1.2), ("-anywhere", count, 4)] {
            var random = SplitMix(seed: 26)
            try await bench.compare(
                "freshness-flat\(name)", with: "10 entries", unit: "ns", bar: .atMost(bar),
                pairs: bench.isQuick ? 21 : 51
            ) {
                try large.nanosecondsAtOnce(large.draw(8192, of: range, &random))
            } baseline: {
                try small.nanosecondsAtOnce(small.draw(8192, of: 10, &random))
            }
        }
    }

    private static func onDisk(_ bench: Bench, _ count: Int) async throws {
        bench.printer.note("freshness-flat: filling a store on disk with \(count) responses …")
        let directories = (try ScratchDirectory(), try ScratchDirectory())
        let disks = (
            DiskStore(directory: directories.0.path, options: .roomy),
            DiskStore(directory: directories.1.path, options: .roomy)
        )
        // Without memory in front of the disk, each lookup reads the disk.
        let small = try await StoredPhotos(10, in: DiskHTTPCacheStore(disks.0, memory: 0))
        let large = try await StoredPhotos(count, in: DiskHTTPCacheStore(disks.1, memory: 0))
        for disk in [disks.0, disks.1] { try await disk.flush() }
        var random = SplitMix(seed: 27)
        try await bench.compare(
            "freshness-flat-disk", with: "10 entries", unit: "µs", bar: .atMost(2), pairs: bench.isQuick ? 11 : 21
        ) {
            try await large.microseconds(large.draw(1024, of: count, &random))
        } baseline: {
            try await small.microseconds(small.draw(1024, of: 10, &random))
        }
        for disk in [disks.0, disks.1] { try await disk.close() }
    }
}

/// A store that contains only `count` fresh responses.
private struct StoredPhotos: Sendable {
    private let rules = CacheRules(.shared)
    private let store: any HTTPCacheStore

    private static let now = 1_767_225_600.0

    init(_ count: Int, in store: some HTTPCacheStore) async throws {
        self.store = store
        // All responses share these fields, but each has its own parsed values, which a decision reads.
        let fields: HTTPFields = [
            "Date": HTTPDate.format(Self.now), "ETag": "\"abcdef\"", "Cache-Control": "public, max-age=3600",
            "Content-Type": "image/jpeg", "Content-Length": "9", "Vary": "Accept-Encoding",
        ]
        let varying = [VaryingField(name: "accept-encoding", value: nil)]
        let body = Data("one pixel".utf8)
        let numbers = Array(0..<count)
        try await inTasks(16, numbers) { [rules] number in
            let key = rules.key(for: try Self.request(number))
            let head = StoredResponse(
                url: key, status: 200, fields: fields, requestTime: Self.now, responseTime: Self.now, varying: varying,
                bodyLength: body.count)
            try await store.store(StoredVariant(head: head, body: body), for: key, replacing: [])
        }
    }

    private static func request(_ number: Int) throws -> HTTPRequest {
        guard let url = URL(string: "http://images.example.org/photos/\(number)/large.jpg") else {
            throw BenchError("no URL")
        }
        return HTTPRequest(url, fields: ["Host": "images.example.org", "Accept": "image/webp, image/*"])
    }

    /// Returns `length` requests, each for one of the first `count` responses, chosen at random.
    func draw(_ length: Int, of count: Int, _ random: inout SplitMix) throws -> [HTTPRequest] {
        try (0..<length).map { _ in try Self.request(Int.random(in: 0..<count, using: &random)) }
    }

    func nanosecondsAtOnce(_ requests: [HTTPRequest]) throws -> Double {
        let time = try processorSeconds {
            for request in requests {
                guard decides(request, store.immediateVariants(of: rules.key(for: request))) else {
                    throw BenchError("a stored response does not answer")
                }
            }
        }
        return time * 1e9 / Double(requests.count)
    }

    func microseconds(_ requests: [HTTPRequest]) async throws -> Double {
        let time = try await seconds {
            for request in requests {
                guard decides(request, try await store.variants(of: rules.key(for: request))) else {
                    throw BenchError("a stored response does not answer")
                }
            }
        }
        return time * 1e6 / Double(requests.count)
    }

    private func decides(_ request: HTTPRequest, _ variants: [StoredVariant]?) -> Bool {
        guard let variants else { return false }
        if case .serve = rules.decide(request, variants: variants.map(\.head), now: Self.now + 5) { return true }
        return false
    }
}
