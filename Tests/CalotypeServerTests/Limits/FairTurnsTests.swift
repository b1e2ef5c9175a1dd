import CalotypeBase
import Testing

@testable import CalotypeServer

/// The rules of whose turn is next, in a simulation: each client has a time that its renditions take.
struct FairTurnsTests {
    /// Renditions that take as long as their client's, on some threads.
    private struct Simulation {
        var turns: FairTurns
        var now = Duration.zero
        var made: [ByteString: Duration] = [:]
        private var running: [(end: Duration, number: Int, client: ByteString, time: Duration)] = []
        private var times: [Int: (ByteString, Duration)] = [:]

        init(limit: Int, threads: Int) { turns = FairTurns(limit: limit, threads: threads) }

        mutating func ask(_ client: ByteString, _ time: Duration) {
            let number = turns.enter(client)
            times[number] = (client, time)
            _ = turns.lineUp(number, isDecoded: false)
            begin()
        }

        private mutating func begin() {
            while let number = turns.next(at: now) {
                let (client, time) = times[number] ?? ("", .zero)
                running.append((now + time, number, client, time))
            }
        }

        /// Ends the turn that ends first. Returns its client.
        mutating func step() -> ByteString? {
            guard let first = running.indices.min(by: { running[$0].end < running[$1].end }) else { return nil }
            let ended = running.remove(at: first)
            now = ended.end
            made[ended.client, default: .zero] += ended.time
            turns.leave(ended.number, isFinished: true, at: now)
            begin()
            return ended.client
        }

        /// Ends so many turns. Returns their clients.
        mutating func steps(_ count: Int) -> [ByteString] { (0..<count).compactMap { _ in step() } }
    }

    @Test(arguments: [1, 2, 8]) func `two clients that always wait have equal time, whatever a rendition takes`(
        threads: Int
    ) {
        var simulation = Simulation(limit: 1000, threads: threads)
        let times: [ByteString: Duration] = ["cheap": .milliseconds(30), "expensive": .milliseconds(1500)]
        for (client, time) in times { for _ in 0..<50 { simulation.ask(client, time) } }
        while simulation.now < .seconds(90 * threads), let client = simulation.step() {
            simulation.ask(client, times[client] ?? .zero)
        }
        let (cheap, expensive) = (simulation.made["cheap"] ?? .zero, simulation.made["expensive"] ?? .zero)
        #expect(abs(cheap / expensive - 1) < 0.1)
    }

    @Test func `a client alone has all threads, in the order of its requests`() {
        var turns = FairTurns(limit: 10, threads: 2)
        let numbers = (0..<4).map { _ in turns.enter("one") }
        for number in numbers.reversed() { _ = turns.lineUp(number, isDecoded: false) }
        let first = (0..<3).map { _ in turns.next(at: .zero) }
        #expect(first == [numbers[0], numbers[1], nil])
        turns.leave(numbers[0], isFinished: true, at: .seconds(1))
        let next = turns.next(at: .seconds(1))
        #expect(next == numbers[2])
    }

    @Test func `a new client is served next, and has no credit for the time before`() {
        var simulation = Simulation(limit: 1000, threads: 1)
        for _ in 0..<100 { simulation.ask("old", .seconds(1)) }
        _ = simulation.steps(50)
        for _ in 0..<40 { simulation.ask("new", .seconds(1)) }
        let next = simulation.steps(40)
        #expect(next.prefix(3).contains("new"))
        #expect((18...22).contains(next.count { $0 == "new" }))
    }

    @Test func `a client that stops does not pay later, once nobody waits`() {
        var simulation = Simulation(limit: 100, threads: 1)
        for _ in 0..<10 { simulation.ask("one", .seconds(9)) }
        while simulation.step() != nil {}
        for _ in 0..<4 { simulation.ask("two", .seconds(1)) }
        simulation.ask("one", .seconds(1))
        let first = simulation.steps(3)
        #expect(first.contains("one"))
    }

    @Test func `one client has as many places as the limit, and others half of those left`() {
        var turns = FairTurns(limit: 8, threads: 1)
        let clients: [ByteString] = ["a", "b", "c", "d", "e", "f"]
        let places = clients.map { client in
            let before = turns.count
            while turns.refusal(of: client, left: .seconds(9)) == nil { _ = turns.enter(client) }
            return turns.count - before
        }
        #expect(places == [8, 4, 2, 1, 1, 0] && turns.count == 16)
    }

    @Test func `a client that asks for little waits less than one that asks for much`() {
        var simulation = Simulation(limit: 100, threads: 1)
        for _ in 0..<9 { simulation.ask("much", .seconds(2)) }
        _ = simulation.steps(8)
        for _ in 0..<10 { simulation.ask("much", .seconds(2)) }
        #expect(simulation.turns.wait(of: "much") == .seconds(22))
        #expect(simulation.turns.wait(of: "little") == .seconds(4))
        #expect(simulation.turns.refusal(of: "much", left: .seconds(15)) == .late)
        #expect(simulation.turns.refusal(of: "little", left: .seconds(15)) == nil)
    }

    @Test func `renditions that fail before their turn do not make the others look quick`() {
        var simulation = Simulation(limit: 100, threads: 1)
        for _ in 0..<12 { simulation.ask("one", .seconds(2)) }
        _ = simulation.steps(8)
        for _ in 0..<20 {
            let damaged = simulation.turns.enter("one")
            simulation.turns.leave(damaged, isFinished: true, at: simulation.now)
        }
        #expect(simulation.turns.wait(of: "one") == .seconds(8))
    }

    @Test func `a rendition that left while its decode goes on waits for no turn`() {
        var turns = FairTurns(limit: 4, threads: 1)
        let number = turns.enter("one")
        turns.leave(number, isFinished: false, at: .zero)
        let (waits, next) = (turns.lineUp(number, isDecoded: false), turns.next(at: .zero))
        #expect(!waits && next == nil && turns.count == 0)
    }

    @Test func `renditions that unite have one turn, the first that has begun`() {
        var turns = FairTurns(limit: 10, threads: 2)
        let numbers = (0..<4).map { _ in turns.enter("a") }
        for number in numbers { _ = turns.lineUp(number, isDecoded: false) }
        #expect(turns.next(at: .zero) == numbers[0] && turns.next(at: .zero) == numbers[1])
        turns.unite(numbers.reversed(), at: .seconds(1))
        #expect(turns.load == (1, 0) && turns.hasTurn(numbers[1]) && turns.next(at: .seconds(1)) == nil)
        // They take another one for the rest of their work.
        #expect(numbers.map { turns.lineUp($0, isDecoded: true) } == [true, false, true, true])
        #expect(turns.load == (1, 3) && turns.next(at: .seconds(1)) == numbers[0])
        for number in numbers { turns.leave(number, isFinished: true, at: .seconds(2)) }
        #expect(turns.count == 0 && turns.load == (0, 0))
    }

    @Test func `one rendition that unites with none keeps its turn, or waits no longer`() {
        var turns = FairTurns(limit: 10, threads: 1)
        let numbers = (0..<2).map { _ in turns.enter("a") }
        for number in numbers { _ = turns.lineUp(number, isDecoded: false) }
        _ = turns.next(at: .zero)
        for number in numbers { turns.unite([number], at: .zero) }
        #expect(turns.hasTurn(numbers[0]) && !turns.hasTurn(numbers[1]) && turns.load == (1, 0))
    }
}
