import CalotypeBase
import Requirements
import ResourceProvider
import Testing

/// D3.14, B32: a look into the synchronous caches of an async chain, on the caller's thread.
struct ImmediateValueTests {
    private let memory = ProbeCache([1: "one"])
    private let source = AnyAsyncProvider { (id: Int) async throws(LoadError) -> String in
        Issue.record("an immediate look must not ask the source")
        throw .broken
    }

    private var cached: some AsyncProvider<Int, String, LoadError> { source.cache(memory.concurrent(isCheap: true)) }

    @Test(.requirement("B32")) func `a memory hit is read through every modifier that does not change the value`() {
        let chain =
            cached
            .coordinated().limited(to: 1).retried(2).timeout(.seconds(1)).fallback(to: source)
            .rememberingFailures(for: .seconds(1)) { _ in true }
            .catch { (error, _) throws(LoadError) in throw error }
            .mapID { (id: String) in id.count }
            .cache(AnyAsyncCache())
            .eraseToAnyProvider()
        #expect(chain.immediateValue(for: "a") == "one")
        #expect(chain.immediateValue(for: "ab") == nil)
    }

    @Test(.requirement("D3.14")) func `sources and caches that were not called cheap answer nil`() {
        #expect(source.immediateValue(for: 1) == nil)
        #expect(source.cache(memory.concurrent()).immediateValue(for: 1) == nil)
        #expect(source.cache(memory.concurrent(on: BlockingPool(threads: 1))).immediateValue(for: 1) == nil)
    }

    @Test(.requirement("D3.14")) func `mapValue answers nil unless told that it is cheap`() {
        #expect(cached.mapValue { text, _ in text.count }.immediateValue(for: 1) == nil)
        #expect(cached.mapValue(isCheap: false) { text, _ in text.count }.immediateValue(for: 1) == nil)
        #expect(cached.mapValue(isCheap: true) { text, _ in text.count }.immediateValue(for: 1) == 3)
    }

    @Test(.requirement("S3.23")) func `no immediate value gets past a side effect or an interjection`() {
        #expect(cached.sideEffect { _, _ in }.immediateValue(for: 1) == nil)
        #expect(cached.interject { _ in "other" }.immediateValue(for: 1) == nil)
    }

    @Test(.requirement("B32")) func `the look stores nothing`() {
        let outer = ProbeCache<Int, String>()
        #expect(cached.cache(outer.concurrent(isCheap: true)).immediateValue(for: 1) == "one")
        #expect(outer.values.isEmpty)
    }
}
