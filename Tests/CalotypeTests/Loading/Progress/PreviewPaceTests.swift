import Testing

@testable import Calotype

/// The times at which previews are due.
@Suite struct PreviewPaceTests {
    private func pace(after bytes: Int, at time: Duration = .zero) -> PreviewPace {
        var pace = PreviewPace(minimumBytes: 0)
        pace.note(bytes: bytes, hasPreview: true)
        pace.note(preview: time)
        return pace
    }

    @Test func `the first is due at once, of any bytes at all`() {
        let pace = PreviewPace(minimumBytes: 0)
        #expect(pace.due(bytes: 0, of: nil) == nil && pace.due(bytes: 1, of: nil) == .zero)
    }

    @Test(arguments: [(199, false), (200, true), (201, true)])
    func `the next is due with twice as many bytes`(bytes: Int, isDue: Bool) {
        #expect((pace(after: 100).due(bytes: bytes, of: 1_000) != nil) == isDue)
    }

    @Test func `the next is due half a second after the last that was shown`() {
        var pace = pace(after: 100, at: .seconds(1))
        #expect(pace.due(bytes: 400, of: 1_000) == .milliseconds(1_500))
        pace.note(bytes: 200, hasPreview: false)
        #expect(pace.due(bytes: 250, of: 1_000) == nil, "after an attempt without a preview, a quarter more is due")
        #expect(pace.due(bytes: 251, of: 1_000) == .milliseconds(1_500))
    }

    @Test(arguments: [(800, true), (801, false), (1_000, false), (5_000, false)])
    func `none is due when more than four fifths are there`(bytes: Int, isDue: Bool) {
        #expect((PreviewPace(minimumBytes: 0).due(bytes: bytes, of: 1_000) != nil) == isDue)
    }

    @Test(arguments: [Int.max, 0, 1, -1])
    func `a length that cannot be is no trap`(expected: Int) {
        _ = PreviewPace(minimumBytes: 0).due(bytes: 10, of: expected)
        _ = pace(after: .max).due(bytes: .max, of: expected)
    }

    @Test func `bodies below the least size have none`() {
        let pace = PreviewPace(minimumBytes: 100)
        #expect(pace.due(bytes: 50, of: 99) == nil && pace.due(bytes: 50, of: 100) != nil)
        #expect(pace.due(bytes: 99, of: nil) == nil && pace.due(bytes: 100, of: nil) != nil)
    }
}
