import CalotypeTesting
import TestSupport
import Testing
import calotype_cache_client

@Suite struct `The memory of a cache` {
    static let limit = 16 << 20

    // 50,000 one-byte responses used to take 229 MB of "64 MiB", and 20,000 with 60 KB in a field that Vary names 1.2
    // GB: the estimate left out keys, request fields and the values that a hit derives from an entry.
    @Test(
        .disabled(if: Sanitizers.areOn, "a sanitizer's own memory cannot be told from the cache's"),
        arguments: [(20_000, 0), (12_000, 6_000)])
    func `holds as much as its limit says, however small its entries`(count: Int, fieldLength: Int) async throws {
        let client = try ChildProgram(
            "calotype-cache-client", ["memory", "\(Self.limit)", "\(count)", "\(fieldLength)"])
        let numbers = await client.linesToEnd().first?.split(separator: " ").compactMap { Int($0) } ?? []
        let (grown, counted) = try (#require(numbers.first), #require(numbers.last))
        #expect(counted <= Self.limit && counted > Self.limit / 2)
        // The allocator rounds up, and evicted entries leave gaps.
        #expect(grown < Self.limit * 3 / 2, "\(grown) bytes")
    }
}
