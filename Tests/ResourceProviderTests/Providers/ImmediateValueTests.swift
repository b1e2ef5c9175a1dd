import CalotypeConcurrency
import ResourceProvider
import Testing

/// D3.14, behaviour 32: a look into the synchronous caches of an async chain, on the caller's thread.
struct ImmediateValueTests {
    private let memory = ProbeCache([1: "one"])
    private let source = AnyAsyncProvider { (id: Int) async throws(LoadError) -> String in
        Issue.record("an immediate look must not ask the source")
        throw .broken
    }

    private var cached: some AsyncProvider<Int, String, LoadError> { source.cache(memory.concurrent(isCheap: true)) }

    @Test("Behaviour 32: a memory hit is read through every modifier that does not change the value")
    func passesThrough() {
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

    @Test("D3.14: sources and caches that were not called cheap answer nil")
    func sourcesAnswerNil() {
        #expect(source.immediateValue(for: 1) == nil)
        #expect(source.cache(memory.concurrent()).immediateValue(for: 1) == nil)
        #expect(source.cache(memory.concurrent(on: BlockingPool(threads: 1))).immediateValue(for: 1) == nil)
    }

    @Test("D3.14: mapValue answers nil unless told that it is cheap")
    func mapValue() {
        #expect(cached.mapValue { text, _ in text.count }.immediateValue(for: 1) == nil)
        #expect(cached.mapValue(isCheap: false) { text, _ in text.count }.immediateValue(for: 1) == nil)
        #expect(cached.mapValue(isCheap: true) { text, _ in text.count }.immediateValue(for: 1) == 3)
    }

    @Test("S3.23: no immediate value gets past a side effect or an interjection")
    func guarded() {
        #expect(cached.sideEffect { _, _ in }.immediateValue(for: 1) == nil)
        #expect(cached.interject { _ in "other" }.immediateValue(for: 1) == nil)
    }

    @Test("Behaviour 32: the look stores nothing")
    func storesNothing() {
        let outer = ProbeCache<Int, String>()
        #expect(cached.cache(outer.concurrent(isCheap: true)).immediateValue(for: 1) == "one")
        #expect(outer.values.isEmpty)
    }
}
