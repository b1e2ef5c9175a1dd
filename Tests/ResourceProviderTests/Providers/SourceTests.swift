import Requirements
import ResourceProvider
import Testing

private final class NotSendable { var factor = 2 }

private func requireSendable<Chain: SyncProvider & Sendable>(_ chain: Chain) -> Chain { chain }

struct SourceTests {
    @Test(.requirement("D3.19")) func `Provider.source of a closure alone is not ambiguous, and Sendable`() {
        let provider = Provider.source { (id: Int) in "\(id)" }
        #expect(requireSendable(provider)[1] == "1")
    }

    @Test(.requirement("S3.1", "S3.2")) func `a source is made from a plain function, a Sendable one or an async one`()
        async
    {
        let plain: (Int) -> Int = { $0 + 1 }
        #expect(AnySyncProvider(valueForID: plain)[1] == 2)
        let sendable: @Sendable (Int) -> Int = { $0 + 2 }
        #expect(requireSendable(Provider.source(sendable))[1] == 3)
        #expect(await Provider.source { (id: Int) async in id + 3 }.value(for: 1) == 4)
    }

    @Test(.requirement("S3.20"))
    func `parts that are not Sendable serve synchronously, with modifiers once vouched for`() {
        let part = NotSendable()
        let provider = AnySyncProvider { (id: Int) in id * part.factor }
        #expect(provider[5] == 10)
        #expect(provider.forceSendable().mapValue { value, _ in value + 2 }[5] == 12)
    }

    @Test(.requirement("S3.5")) func `mapID takes a key path or a closure`() async {
        let source = Provider.source { (url: String) in url.count }
        #expect(source.mapID(\ImageID.url)[ImageID(url: "abc")] == 3)
        #expect(source.mapID { (count: Int) in String(repeating: "x", count: count) }[4] == 4)
        #expect(await source.concurrent().mapID(\ImageID.url).value(for: ImageID(url: "ab")) == 2)
    }

    @Test(.requirement("S3.6")) func `mapValue gets the identifier that was requested`() {
        let provider = Provider.source { (url: String) in url.count }
            .mapID(\ImageID.url)
            .mapValue { count, id in "\(id.url): \(count)" }
        #expect(provider[ImageID(url: "abc")] == "abc: 3")
    }

    @Test(.requirement("S3.19")) func `a value may be a task`() async {
        let provider = Provider.source { (id: Int) in Task { id * 2 } }
        #expect(await provider[21].value == 42)
    }

    @Test(.requirement("S3.14"))
    func `forceSendable and serialized put a part into an actor, and it is asked one at a time`() async {
        let part = NotSendable()
        let provider = AnySyncProvider { (id: Int) in
            part.factor += 1
            return id
        }
        .forceSendable().serialized()
        let tasks = (0..<100).map { id in Task { await provider.value(for: id) } }
        for (id, task) in tasks.enumerated() { #expect(await task.value == id) }
        #expect(part.factor == 102)
    }

    @Test(.requirement("S3.26")) func `Sendable parts make a Sendable chain, sync and async`() {
        let memory = ProbeCache<Int, Int>()
        let chain = Provider.source { (id: Int) in id }
            .mapID { (id: Int) in id + 1 }
            .mapValue { value, _ in value * 2 }
            .sideEffect { _, _ in }
            .interject { _ in nil }
            .catch { (_, _) -> Int in }
            .cache(memory)
        #expect(requireSendable(chain)[1] == 4)
        #expect(requireSendable(chain.eraseToAnyProvider())[1] == 4)
    }
}
