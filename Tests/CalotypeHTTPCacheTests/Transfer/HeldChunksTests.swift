import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeHTTPCache

@Suite struct `Held chunks` {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `know their readers' positions, in any order of events`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var held = HeldChunks()
        var positions: [HeldChunks.Position] = []
        var lengths: [Int] = []
        var dropped = 0
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where dropped == 0: positions.append(held.enter())
            case 1 where !positions.isEmpty:
                held.leave(positions.remove(at: Int.random(in: positions.indices, using: &random)))
            case 2...4:
                lengths.append(Int.random(in: 1...100, using: &random))
                held.append(Data(count: lengths[lengths.count - 1]))
            case 5: held.dropRead()
            case 6: held.drop(behind: Int.random(in: 0...200, using: &random))
            default:
                guard let index = positions.indices.randomElement(using: &random), !held.isGone(positions[index]) else {
                    break
                }
                let next = positions[index].chunk
                #expect(held.advance(&positions[index])?.count == (next < lengths.count ? lengths[next] : nil))
            }
            dropped = lengths.count - held.chunks.count
            let here = positions.filter { $0.chunk >= dropped }
            #expect(here.count == held.readers && here.count == positions.count { !held.isGone($0) })
            #expect(held.furthest.chunk == here.map(\.chunk).max() ?? dropped)
            #expect(held.furthest.bytes == lengths.prefix(held.furthest.chunk).reduce(0, +))
            #expect(held.byteCount == lengths.dropFirst(dropped).reduce(0, +))
            #expect(held.received == lengths.reduce(0, +))
        }
    }

    @Test func `behind the furthest reader are dropped, those ahead of it stay`() {
        var held = HeldChunks()
        var (fast, slow) = (held.enter(), held.enter())
        for _ in 0..<10 { held.append(Data(count: 100)) }
        for _ in 0..<6 { _ = held.advance(&fast) }
        _ = held.advance(&slow)
        held.drop(behind: 500)
        #expect(held.byteCount == 900 && !held.isGone(slow))
        held.drop(behind: 250)
        #expect(held.byteCount == 700 && held.isGone(slow) && !held.isGone(fast) && held.readers == 1)
        held.leave(slow)
        held.dropRead()
        #expect(held.byteCount == 400 && held.readers == 1)
    }

    // Each step of a reader used to look at all the others.
    @Test(.timeLimit(.minutes(5))) func `cost a reader as much among many as alone`() {
        var held = HeldChunks()
        var positions = (0..<100_000).map { _ in held.enter() }
        for _ in 0..<4 {
            held.append(Data(count: 10))
            for index in positions.indices {
                #expect(held.advance(&positions[index]) != nil)
                held.dropRead()
                #expect(held.furthest.bytes == held.received)
            }
        }
        for position in positions { held.leave(position) }
        #expect(held.readers == 0)
    }
}
