import Foundation
import Testing

@testable import CalotypeGallery

struct OpeningMotionTests {
    private let tile = CGRect(x: 10, y: 20, width: 100, height: 100)
    private let frame = CGRect(x: 0, y: 50, width: 800, height: 500)

    @Test func `it opens from the tile to the frame, and closes the other way`() {
        let opening = OpeningMotion(tile: tile, isClosing: false)
        #expect(opening.frame(at: .zero, to: frame) == tile)
        #expect(opening.frame(at: OpeningMotion.duration, to: frame) == frame)
        let closing = OpeningMotion(tile: tile, isClosing: true)
        #expect(closing.frame(at: .zero, to: frame) == frame)
        #expect(closing.frame(at: OpeningMotion.duration, to: frame) == tile)
    }

    @Test func `it never goes back, and stays where it ends`() {
        let opening = OpeningMotion(tile: tile, isClosing: false)
        let widths = (0...30).map { opening.frame(at: .milliseconds(10 * $0), to: frame).width }
        #expect(widths == widths.sorted())
        #expect(widths.last == 800)
        #expect(!opening.isOver(at: .milliseconds(239)) && opening.isOver(at: .milliseconds(240)))
    }

    @Test func `the tile is where it was, although the canvas begins below a bar`() {
        let opening = OpeningMotion(tile: tile, isClosing: false)
        let start = opening.frame(at: .zero, to: frame, over: CGPoint(x: 0, y: -46))
        #expect(start == CGRect(x: 10, y: -26, width: 100, height: 100))
    }
}
