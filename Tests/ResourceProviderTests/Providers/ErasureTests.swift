import Requirements
import ResourceProvider
import Testing

private func bits<Value>(of value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

/// S3.17, D3.18.
struct ErasureTests {
    @Test(.requirement("S3.17")) func `a provider behind a stored type answers as it did`() async {
        struct Service { var thumbnails: AnyAsyncProvider<Int, String, LoadError> }
        let source = Provider.source { (id: Int) async throws(LoadError) in "\(id)" }
        var service = Service(thumbnails: source.mapValue { text, _ in text + "!" }.eraseToAnyProvider())
        #expect((try? await service.thumbnails.value(for: 1)) == "1!")
        service.thumbnails = AnyAsyncProvider { (_) async throws(LoadError) in throw .broken }
        #expect(await failure { () async throws(LoadError) in try await service.thumbnails.value(for: 1) } == .broken)
    }

    @Test(.requirement("D3.18")) func `erasing twice does not wrap twice, by one name in every world`() {
        func check<Erased>(_ once: Erased, _ twice: Erased) { #expect(bits(of: once) == bits(of: twice)) }

        let sendable = Provider.source { (id: Int) in id }.eraseToAnyProvider()
        check(sendable, sendable.eraseToAnyProvider())
        let asynchronous = sendable.concurrent().eraseToAnyProvider()
        check(asynchronous, asynchronous.eraseToAnyProvider())

        let sendableCache = ProbeCache<Int, Int>().eraseToAnyCache()
        check(sendableCache, sendableCache.eraseToAnyCache())
        let asyncCache = ProbeCache<Int, Int>().concurrent().eraseToAnyCache()
        check(asyncCache, asyncCache.eraseToAnyCache())
    }

    @Test(.requirement("S3.17")) func `a cache made of nothing never holds anything`() async {
        let sync = AnySyncCache<Int, Int>()
        sync.store(value: 1, for: 1)
        #expect(sync[1] == nil)
        let asynchronous = AnyAsyncCache<Int, Int>()
        await asynchronous.store(value: 1, for: 1)
        #expect(await asynchronous.value(for: 1) == nil)
    }
}
