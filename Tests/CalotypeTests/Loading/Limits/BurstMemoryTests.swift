import CalotypeTesting
import TestSupport
import Requirements
import Testing
import calotype_cache_client

@Suite struct `The memory of a burst` {
    private static let budget = 12 << 20

    // 200 requests of up to 1.2 MB each used to decode all of them before the first one was encoded: 190 MB.
    @Test(
        .requirement("C1"),
        .disabled(if: Sanitizers.areOn, "a sanitizer's own memory cannot be told from the loader's"),
        arguments: [0, 1])
    func `is the budget's, however many thumbnails are requested at once`(steps: Int) async throws {
        let client = try ChildProgram("calotype-cache-client", ["burst", "\(Self.budget)", "200", "\(steps)"])
        let numbers = await client.linesToEnd().first?.split(separator: " ").compactMap { Int($0) } ?? []
        let (grown, made) = try (#require(numbers.first), #require(numbers.last))
        #expect(made == 200)
        // The encoded thumbnails, stacks and what the allocator keeps are not the budget's.
        #expect(grown < Self.budget + 100_000_000, "\(grown) bytes")
    }
}
