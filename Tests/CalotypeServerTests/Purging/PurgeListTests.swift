import CalotypeBase
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// The list of purges in memory: the order in which it learns them, its limit, and the time before it is complete.
struct PurgeListTests {
    private let list = PurgeList()

    private func purge(_ target: PurgeTarget, isHard: Bool = true, at time: Double) -> Purge {
        Purge(target, isHard: isHard, at: time)
    }

    private func source(_ number: Int) throws -> PurgeTarget { try .source("https://a.test/\(number % 7)/\(number)") }

    @Test(.requirement("V46"), arguments: 0..<20)
    func `purges that are learnt twice, late or in another order are the same`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var purges = try (0..<60).map { number in
            let target: PurgeTarget =
                number % 10 == 0
                ? .all : number % 3 == 0 ? try .prefix("https://a.test/\(number % 7)") : try source(number)
            var purge = purge(target, isHard: number % 4 > 0, at: Double(random.number(below: 1000)))
            purge.learnt += Double(random.number(below: 100))
            return purge
        }
        list.set(purges)
        let other = PurgeList()
        purges = purges.shuffled(using: &random) + purges.prefix(20)
        for purge in purges { other.set([purge]) }
        #expect(Set(list.purges) == Set(other.purges))
        for number in 0..<60 {
            let key = try source(number).url
            #expect(list.moments(of: key) == other.moments(of: key))
            #expect(list.farMoments(of: key) == other.farMoments(of: key))
        }
    }

    @Test(.requirement("V46"))
    func `a result of the far store is judged by the time of the purge, a near one by that of its arrival`()
        throws
    {
        var late = purge(try source(1), at: 1000)
        late.learnt = 1020
        list.set([late])
        let key = try source(1).url
        #expect(list.moments(of: key).absent == 1021 && list.farMoments(of: key).absent == 1005)
        #expect(try list.moments(of: source(2).url) == .none)
    }

    // MARK: The limit

    @Test(.requirement("V46"))
    func `a full list refuses a source, and takes a prefix and everything, which replace what they cover`()
        throws
    {
        let (list, limit) = (PurgeList(limit: 1000), 1000)
        list.set(try (0..<limit).map { purge(try source($0), at: 1000) })
        #expect { try list.makeRoom(for: source(1)) } throws: { ($0 as? ServerError)?.status == 429 }
        let prefix = try PurgeTarget.prefix("https://a.test/1")
        #expect(try list.makeRoom(for: prefix) == [])
        list.set([purge(prefix, at: 1010)])
        let gone = try list.makeRoom(for: source(1))
        #expect(
            gone.count == (0..<limit).count { $0 % 7 == 1 }
                && gone.allSatisfy { list.moments(of: $0.target.url).absent == 1011 })
        #expect(list.purges.count == limit - gone.count + 1)
        list.set(try (0..<gone.count).map { purge(try source($0), at: 1020) })
        #expect { try list.makeRoom(for: source(1)) } throws: { ($0 as? ServerError)?.status == 429 }
        #expect(try list.makeRoom(for: .all) == [])
        list.set([purge(.all, at: 1030)])
        _ = try list.makeRoom(for: .all)
        #expect(list.purges.map(\.target) == [.all])
    }

    @Test func `a soft purge replaces no hard one, and an earlier one no later one`() throws {
        let (list, limit) = (PurgeList(limit: 1000), 1000)
        list.set(try (0..<limit).map { purge(try source($0), at: 1000) })
        list.set([purge(.all, isHard: false, at: 1010), purge(.all, at: 990)])
        #expect { try list.makeRoom(for: source(1)) } throws: { ($0 as? ServerError)?.status == 429 }
        #expect(list.purges.count >= limit)
    }

    @Test(.requirement("V46")) func `a purge that a later, wider one covers is not learnt`() throws {
        let source = try source(1)
        list.set([purge(.all, at: 1000)])
        #expect(list.covers(purge(source, at: 900)) && list.covers(purge(.all, at: 900)))
        // Its node's clock may be five seconds ahead.
        #expect(!list.covers(purge(source, at: 996.5)) && !list.covers(purge(source, at: 1001)))
        let soft = PurgeList()
        soft.set([purge(.all, isHard: false, at: 1000)])
        #expect(!soft.covers(purge(source, at: 900)) && soft.covers(purge(source, isHard: false, at: 900)))
    }

    // MARK: Before the list is complete

    @Test(.requirement("V46"))
    func `responses from before the start are absent until the list is complete, and not purged`() throws {
        list.hide(before: 1000)
        let key = try source(1).url
        let generation = list.generation
        #expect(list.moments(of: key).effect(onRequestAt: 999.9, now: 1001) == .absent)
        #expect(list.moments(of: key).effect(onRequestAt: 1000, now: 1001) == .none)
        #expect(list.moments(of: key).known == .none && list.farMoments(of: key) == .none)
        list.hide(before: nil)
        #expect(list.moments(of: key) == .none && list.generation > generation)
    }

    // MARK: Pages for other nodes

    @Test(.requirement("V46")) func `pages have all purges in order, and begin again with another node`() throws {
        let purges = try (0..<2500).map { purge(try source($0), at: Double($0)) }
        list.set(purges)
        var (place, found, pages) = ("-", [Purge](), 0)
        while true {
            let page = PurgePage(list, after: ByteString(place), of: "a1", isComplete: true)
            let read = try JSONDecoder().decode(PurgePage.self, from: JSONEncoder().encode(page))
            (place, found, pages) = (read.place, found + read.purges, pages + 1)
            if read.isEnd { break }
        }
        #expect(found.map(\.id) == purges.map(\.id) && found.map(\.target) == purges.map(\.target) && pages == 3)
        #expect(PurgePage(list, after: ByteString(place), of: "a1", isComplete: true).purges == [])
        #expect(PurgePage(list, after: ByteString(place), of: "b2", isComplete: true).purges.count == 1000)
        for place in ["a1-99999999", "a1-", "a1", "", "a1-x", "a1-99999999999999999999999"] as [ByteString] {
            _ = PurgePage(list, after: place, of: "a1", isComplete: true)
        }
        // Those that are removed move no other out of sight.
        list.remove(learntUntil: 9)
        list.set([purge(.all, at: 9000)])
        #expect(PurgePage(list, after: ByteString(place), of: "a1", isComplete: true).purges.last?.target == .all)
    }

    @Test func `long purges fill several pages, and a damaged line counts as everything`() throws {
        let long = String(repeating: "\u{E9}", count: 4000)
        list.set(try (0..<200).map { purge(try .source(ByteString("local:///\(long)\($0)")), at: Double($0)) })
        let page = PurgePage(list, after: "-", of: "a1", isComplete: true)
        let data = try JSONEncoder().encode(page)
        #expect(!page.isEnd && !page.purges.isEmpty && data.count < PurgePage.limit)
        let text = String(decoding: data, as: UTF8.self).replacing("source", with: "sourcf")
        let damaged = try JSONDecoder().decode(PurgePage.self, from: Data(text.utf8))
        #expect(damaged.purges.allSatisfy { $0.target == .all && $0.isHard })
    }
}
