import Testing

@testable import CalotypeGallery

struct NeighbourTests {
    private typealias Change = NeighbourWindow.Change

    @Test func `two images ahead and one behind are loaded`() {
        var window = NeighbourWindow()
        #expect(window.move(to: 5, of: 10) == Change(starts: [6, 7, 4]))
    }

    @Test func `one step on starts one image and stops what has fallen behind`() {
        var window = NeighbourWindow()
        _ = window.move(to: 5, of: 10)
        #expect(window.move(to: 6, of: 10) == Change(starts: [8, 5], stops: [4]))
    }

    @Test func `the direction of travel turns round`() {
        var window = NeighbourWindow()
        _ = window.move(to: 5, of: 10)
        #expect(window.move(to: 4, of: 10) == Change(starts: [3, 2, 5], stops: [6, 7]))
    }

    @Test func `the image that is shown now is stopped only when it is left`() {
        var window = NeighbourWindow()
        _ = window.move(to: 0, of: 10)
        #expect(!window.move(to: 1, of: 10).stops.contains(1))
        #expect(window.loading.contains(1))
        #expect(window.move(to: 8, of: 10).stops.contains(1))
    }

    @Test func `there is nothing beyond the ends`() {
        var window = NeighbourWindow()
        #expect(window.move(to: 0, of: 1) == Change())
        #expect(window.move(to: 0, of: 2).starts == [1])
    }

    @Test func `leaving stops everything`() {
        var window = NeighbourWindow()
        _ = window.move(to: 5, of: 10)
        #expect(window.leave().stops == [6, 7, 4])
        #expect(window.leave() == Change())
    }

    @Test func `a swipe turns one page, however far it goes`() {
        var meter = SwipeMeter()
        #expect(meter.move(-50) == nil)
        #expect(meter.move(-20) == 1)
        #expect(meter.move(-500) == nil)
        meter.begin()
        #expect(meter.move(70) == -1)
    }
}
