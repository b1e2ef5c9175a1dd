import Foundation
import Testing

@testable import CalotypeGallery

struct ZoomTests {
    private func zoom(_ width: Double, _ height: Double, isStandIn: Bool = false) -> Zoom {
        var zoom = Zoom()
        zoom.canvas = CGSize(width: 800, height: 600)
        zoom.show(CGSize(width: width, height: height), isStandIn: isStandIn)
        return zoom
    }

    /// Returns the point of the image, from 0 to 1, under a point of the canvas.
    private func share(_ zoom: Zoom, under point: CGPoint) -> CGPoint {
        let frame = zoom.frame
        return CGPoint(x: (point.x - frame.minX) / frame.width, y: (point.y - frame.minY) / frame.height)
    }

    private func isEqual(_ left: CGRect, _ right: CGRect) -> Bool {
        zip([left.minX, left.minY, left.width, left.height], [right.minX, right.minY, right.width, right.height])
            .allSatisfy { abs($0 - $1) < 1e-6 }
    }

    @Test func `a large image is fitted into the middle of the canvas`() {
        let zoom = zoom(4000, 2000)
        #expect(zoom.isFitted)
        #expect(isEqual(zoom.frame, CGRect(x: 0, y: 100, width: 800, height: 400)))
        #expect(!zoom.canPan)
    }

    @Test func `a small image keeps its own size, and what stands in for a larger one does not`() {
        #expect(zoom(200, 100).frame == CGRect(x: 300, y: 250, width: 200, height: 100))
        #expect(zoom(200, 100, isStandIn: true).frame == CGRect(x: 0, y: 100, width: 800, height: 400))
    }

    @Test(arguments: [CGPoint(x: 400, y: 300), CGPoint(x: 120, y: 180), CGPoint(x: 790, y: 410)])
    func `what is under the pointer stays there while the wheel turns`(_ pointer: CGPoint) {
        var zoom = zoom(4000, 3000)
        zoom.zoom(to: 0.5, at: pointer)
        let before = share(zoom, under: pointer)
        for _ in 0..<5 { zoom.zoom(by: 1.15, at: pointer) }
        let after = share(zoom, under: pointer)
        #expect(abs(before.x - after.x) < 1e-9 && abs(before.y - after.y) < 1e-9)
        #expect(zoom.scale > 1 && !zoom.isFitted)
    }

    @Test func `zooming out ends where the whole image is seen, and in at eight times its size`() {
        var zoom = zoom(4000, 3000)
        zoom.zoom(by: 1000)
        #expect(zoom.scale == Zoom.maximum)
        zoom.zoom(by: 0.0001)
        #expect(zoom.isFitted && isEqual(zoom.frame, CGRect(x: 0, y: 0, width: 800, height: 600)))
    }

    @Test func `dragging stops at the image's edges`() {
        var zoom = zoom(4000, 3000)
        zoom.zoom(to: 1)
        zoom.pan(x: 100, y: -50)
        #expect(isEqual(zoom.frame, CGRect(x: -1500, y: -1250, width: 4000, height: 3000)))
        zoom.pan(x: 1e6, y: 1e6)
        #expect(isEqual(zoom.frame, CGRect(x: 0, y: 0, width: 4000, height: 3000)))
        zoom.pan(x: -1e6, y: -1e6)
        #expect(isEqual(zoom.frame, CGRect(x: -3200, y: -2400, width: 4000, height: 3000)))
    }

    @Test func `an image that is narrower than the canvas stays in the middle of it`() {
        var zoom = zoom(100, 3000)
        zoom.zoom(to: 1)
        zoom.pan(x: 300, y: 0)
        #expect(zoom.frame.midX == 400)
    }

    @Test func `a fitted image does not move when it is dragged`() {
        var zoom = zoom(4000, 3000)
        let before = zoom
        zoom.pan(x: 30, y: 30)
        #expect(zoom == before)
    }

    @Test func `the image's own size, once it is known, changes nothing that is seen`() {
        var zoom = zoom(400, 300, isStandIn: true)
        zoom.zoom(to: 4, at: CGPoint(x: 700, y: 100))
        let before = zoom.frame
        zoom.show(CGSize(width: 4000, height: 3000), isStandIn: false)
        let after = zoom.frame
        #expect(abs(before.minX - after.minX) < 1e-9 && abs(before.width - after.width) < 1e-9)
        #expect(abs(zoom.scale - 0.4) < 1e-9)
    }

    @Test func `a fitted image stays fitted when the window changes, an enlarged one at its scale`() {
        var zoom = zoom(4000, 3000)
        zoom.canvas = CGSize(width: 400, height: 300)
        #expect(isEqual(zoom.frame, CGRect(x: 0, y: 0, width: 400, height: 300)))
        zoom.zoom(to: 0.5)
        zoom.canvas = CGSize(width: 800, height: 600)
        #expect(zoom.scale == 0.5)
        zoom.canvas = CGSize(width: 4000, height: 4000)
        #expect(zoom.isFitted)
    }

    @Test func `a double click goes to the image's own size and back`() {
        var zoom = zoom(4000, 3000)
        zoom.toggle(at: CGPoint(x: 10, y: 10))
        #expect(zoom.scale == 1)
        zoom.toggle(at: CGPoint(x: 10, y: 10))
        #expect(zoom.isFitted)
        var small = self.zoom(40, 30)
        small.toggle(at: CGPoint(x: 400, y: 300))
        #expect(small.scale == 2)
    }

    @Test func `nothing is zoomed before there is an image`() {
        var zoom = Zoom()
        zoom.zoom(by: 2)
        #expect(zoom.isFitted && zoom.frame == .zero)
    }
}
