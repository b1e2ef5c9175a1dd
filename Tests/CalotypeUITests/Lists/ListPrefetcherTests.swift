import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeUI
import Foundation
import Testing
import Waiting

@Suite struct PrefetchWindowTests {
    @Test func `rows ahead are those behind the last visible one, the next one first`() {
        var window = PrefetchWindow(ahead: 3)
        #expect(window.rows(of: 10) == [])
        for row in 0..<3 { window.appear(row) }
        #expect(window.rows(of: 10) == [3, 4, 5])
    }

    @Test func `scrolling back, rows ahead are those before the first visible one`() {
        var window = PrefetchWindow(ahead: 3)
        for row in 5..<8 { window.appear(row) }
        window.disappear(7)
        window.appear(4)
        #expect(window.rows(of: 10) == [3, 2, 1])
        window.disappear(4)
        window.appear(7)
        #expect(window.rows(of: 10) == [8, 9])
    }

    @Test(arguments: [(0, 0), (1, 1), (5, 5)])
    func `a list that got shorter, or has no rows ahead, gives none`(count: Int, visible: Int) {
        var window = PrefetchWindow(ahead: 3)
        window.appear(visible)
        #expect(window.rows(of: count) == [])
        #expect(PrefetchWindow(ahead: -1).rows(of: 4) == [])
    }
}

@MainActor
@Suite struct ListPrefetcherTests {
    private func appear(_ row: Int, _ prefetcher: ListPrefetcher, _ room: Room, count: Int = 20) {
        prefetcher.rowAppeared(row, of: count, loader: room.loader) { .photo($0) }
    }

    @Test func `the images of the next rows are in memory before the rows appear, and no others`() async {
        let (room, prefetcher) = (Room(), ListPrefetcher(ahead: 2))
        appear(0, prefetcher, room)
        await waitUntil {
            room.loader.cachedImage(for: .photo(1)) != nil && room.loader.cachedImage(for: .photo(2)) != nil
        }
        #expect(room.transport.requestCount == 2)
        withExtendedLifetime(prefetcher) {}
    }

    @Test func `a row that is no longer next is not loaded, and one that appears goes on loading`() async {
        let gate = Gate()
        let (room, prefetcher) = (Room(gate: gate), ListPrefetcher(ahead: 2))
        appear(10, prefetcher, room)
        await waitUntil { room.transport.requestCount == 2 }
        // Row 11 is in flight; with 9 visible the direction is back, to 8 and 7, and 12 is not prefetched.
        appear(11, prefetcher, room)
        appear(9, prefetcher, room)
        // It takes the place of 12, of which two at a time have one.
        await waitUntil { room.transport.requests.contains { $0.url.path == "/8" } }
        gate.open()
        await waitUntil { [11, 8, 7].allSatisfy { room.loader.cachedImage(for: .photo($0)) != nil } }
        #expect(room.loader.cachedImage(for: .photo(12)) == nil)
        withExtendedLifetime(prefetcher) {}
    }

    @Test func `when the last row has gone, what was on its way is cancelled`() async {
        let cancelled = Locked(0)
        let room = Room { _ throws(TransportError) in
            while !Task.isCancelled { await Task.yield() }
            cancelled.withLock { $0 += 1 }
            throw .cancelled
        }
        let prefetcher = ListPrefetcher(ahead: 2)
        appear(0, prefetcher, room)
        await waitUntil { room.transport.requestCount == 2 }
        prefetcher.rowDisappeared(0)
        await waitUntil { cancelled.withLock { $0 } == 2 }
        #expect(room.loader.cachedImage(for: .photo(1)) == nil)
    }
}
