import CalotypeBase
import CalotypeTesting
import Dispatch
import Testing
import Waiting

@testable import CalotypeTransport

/// The names looked up, the number of threads for that, and the lifetime of the results. No name server is asked.
struct NameResolverTests {
    private let service = SilentNameService()
    private let time = Locked<UInt64>(0)

    private func resolver(threads: Int = 4, queue: Int = 4096) -> NameResolver {
        NameResolver(threads: threads, queueLimit: queue, now: { [time] in time.withLock { $0 } }, lookUp: service.ask)
    }

    private func ask(
        _ resolver: NameResolver, _ name: String, _ client: String = "one", of group: ByteString? = nil
    ) -> Asked {
        Asked(resolver, name, client, group)
    }

    @Test func `one name that many ask for is looked up once`() async {
        let resolver = resolver()
        let asked = (0..<100).map { ask(resolver, "a.example", "client \($0)") }
        await service.hasBegun(1)
        service.answer("a.example", .addresses(["192.0.2.1"]))
        for question in asked { #expect(await question.value == .addresses(["192.0.2.1"])) }
        #expect(service.names == ["a.example"])
    }

    // Names without an answer used to take a thread for each request.
    @Test func `one client has a quarter of the threads, also when it leaves at once`() async {
        let resolver = resolver(threads: 8)
        for number in 0..<1000 { ask(resolver, "\(number).example").leave() }
        #expect(resolver.load.running <= 2)
        await service.hasBegun(resolver.load.running)
        let other = ask(resolver, "b.example", "two")
        await service.hasBegun("b.example")
        service.answer("b.example", .addresses(["192.0.2.2"]))
        #expect(await other.value == .addresses(["192.0.2.2"]))
        #expect(resolver.load.waiting == 0 && service.names.count <= 3)
        service.answerAll(.notFound)
    }

    @Test func `the thread of a lookup is taken until the name service returns, and what it says is remembered`() async
    {
        let resolver = resolver(threads: 1)
        let left = ask(resolver, "a.example")
        await service.hasBegun("a.example")
        left.leave()
        let next = ask(resolver, "b.example")
        #expect(resolver.load == (waiting: 1, running: 1))
        service.answer("a.example", .addresses(["192.0.2.1"]))
        service.answer("b.example", .addresses(["192.0.2.2"]))
        _ = await next.value
        #expect(await ask(resolver, "a.example").value == .addresses(["192.0.2.1"]))
        #expect(service.names == ["a.example", "b.example"])
    }

    @Test func `addresses are remembered for 60 s, failures are not`() async {
        let resolver = resolver()
        service.answer("a.example", .addresses(["192.0.2.1"]))
        service.answer("b.example", .notFound)
        for _ in 0..<3 {
            _ = await ask(resolver, "a.example").value
            #expect(await ask(resolver, "b.example").value == .notFound)
        }
        #expect(service.names.filter { $0 == "a.example" }.count == 1 && service.names.count == 4)
        time.withLock { $0 += 60_000_000_000 }
        _ = await ask(resolver, "a.example").value
        #expect(service.names.filter { $0 == "a.example" }.count == 2)
    }

    @Test func `a client whose queue is full is refused, and no other`() async {
        let resolver = resolver(threads: 1, queue: 8)
        let running = ask(resolver, "running.example")
        await service.hasBegun(1)
        let waiting = [ask(resolver, "a.example"), ask(resolver, "b.example")]
        #expect(await ask(resolver, "c.example").value == .overloaded)
        let other = ask(resolver, "c.example", "two")
        #expect(resolver.load.waiting == 3)
        service.answerAll(.notFound)
        for question in waiting + [running, other] { #expect(await question.value == .notFound) }
    }

    // Names of sixty silent servers used to take all threads, and to delay the next name by seconds.
    @Test func `one group leaves as many threads free as it has, however many name servers are silent`() async {
        let resolver = resolver(threads: 8)
        let silent = (0..<60).map { ask(resolver, "\($0).example", "one \($0)", of: "one") }
        await service.hasBegun(4)
        #expect(resolver.load == (waiting: 56, running: 4))
        let other = ask(resolver, "new.example", "two new", of: "two")
        await service.hasBegun("new.example")
        service.answer("new.example", .addresses(["192.0.2.2"]))
        #expect(await other.value == .addresses(["192.0.2.2"]))
        service.answerAll(.notFound)
        for question in silent { #expect(await question.value == .notFound) }
        #expect(resolver.load.waiting == 0)
    }

    @Test func `a group leaves a quarter of the queue to others`() async {
        let resolver = resolver(threads: 1, queue: 8)
        let running = ask(resolver, "running.example", "one", of: "one")
        await service.hasBegun(1)
        let waiting = (0..<6).map { ask(resolver, "\($0).example", "one \($0)", of: "one") }
        #expect(await ask(resolver, "6.example", "one 6", of: "one").value == .overloaded)
        let other = ask(resolver, "6.example", "two", of: "two")
        #expect(resolver.load.waiting == 7)
        service.answerAll(.notFound)
        for question in waiting + [running, other] { #expect(await question.value == .notFound) }
    }

    @Test func `clients take turns`() async {
        let resolver = resolver(threads: 1)
        let first = ask(resolver, "first.example")
        await service.hasBegun(1)
        let asked = [
            ask(resolver, "a1.example", "a"), ask(resolver, "a2.example", "a"), ask(resolver, "b1.example", "b"),
        ]
        service.answerAll(.notFound)
        for question in asked + [first] { _ = await question.value }
        #expect(service.names == ["first.example", "a1.example", "b1.example", "a2.example"])
    }

    @Test func `a name that waits for one client's turn starts with that of another`() async {
        let resolver = resolver(threads: 8)
        let slow = [ask(resolver, "a.example"), ask(resolver, "b.example")]
        await service.hasBegun(2)
        let wanted = ask(resolver, "wanted.example")
        #expect(resolver.load.waiting == 1)
        let same = ask(resolver, "wanted.example", "two")
        await service.hasBegun("wanted.example")
        #expect(resolver.load.waiting == 0)
        service.answerAll(.notFound)
        for question in slow + [wanted, same] { #expect(await question.value == .notFound) }
    }

    @Test func `addresses are told from names as curl tells them`() {
        #expect(NameLookup.address("127.1") == "127.0.0.1")
        #expect(NameLookup.address("0x7f000001") == "127.0.0.1")
        #expect(NameLookup.address("2001:db8::1") == "2001:db8::1")
        #expect(NameLookup.address("photos.localhost") == "127.0.0.1")
        #expect(NameLookup.address("127.0.0.1.example") == nil)
        #expect(NameLookup.network(of: "2001:db8::1") == NameLookup.network(of: "2001:db8::2:1"))
        #expect(NameLookup.network(of: "192.0.2.1") == "192.0.2.1")
    }
}

/// A name service that answers only when the test releases it.
final class SilentNameService: Sendable {
    private struct State {
        var asked: [String] = []
        var answers: [String: NameAnswer] = [:]
        var general: NameAnswer?
        var waiting: [String: DispatchSemaphore] = [:]
    }

    private let state = Locked(State())

    /// The requested names, in order.
    var names: [String] { state.withLock { $0.asked } }

    /// Blocks its thread, as `getaddrinfo` does.
    @Sendable func ask(_ name: String) -> NameAnswer {
        let semaphore = DispatchSemaphore(value: 0)
        let answer = state.withLock { state in
            state.asked.append(name)
            let answer = state.answers[name] ?? state.general
            if answer == nil { state.waiting[name] = semaphore }
            return answer
        }
        if let answer { return answer }
        semaphore.wait()
        return state.withLock { $0.answers[name] ?? $0.general ?? .notFound }
    }

    func answer(_ name: String, _ answer: NameAnswer) {
        state.withLock { state in
            state.answers[name] = answer
            return state.waiting.removeValue(forKey: name)
        }?.signal()
    }

    func answerAll(_ answer: NameAnswer) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            state.general = answer
            return Array(state.waiting.values)
        }
        for semaphore in waiting { semaphore.signal() }
    }

    func hasBegun(_ count: Int) async { await waitUntil { names.count >= count } }
    func hasBegun(_ name: String) async { await waitUntil { names.contains(name) } }
}

/// A question and its answer.
private final class Asked: Sendable {
    private let answers = AsyncStream.makeStream(of: NameAnswer.self)
    private let question: NameQuestion
    private let resolver: NameResolver

    init(_ resolver: NameResolver, _ name: String, _ client: String, _ group: ByteString?) {
        self.resolver = resolver
        question = NameQuestion(ByteString(name), for: ByteString(client), of: group) {
            [continuation = answers.continuation] in continuation.yield($0)
        }
        if let answer = resolver.ask(question) { answers.continuation.yield(answer) }
    }

    func leave() { resolver.withdraw(question) }

    var value: NameAnswer? { get async { await answers.stream.first { _ in true } } }
}
