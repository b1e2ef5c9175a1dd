import Calotype
import CalotypeCodecs
import Foundation
import Testing

@testable import CalotypeGallery

struct RenditionTests {
    private let photo = PixelSize(width: 4000, height: 3000)

    private func zoom(_ canvas: CGSize = CGSize(width: 800, height: 600)) -> Zoom {
        var zoom = Zoom()
        zoom.canvas = canvas
        zoom.show(CGSize(width: 4000, height: 3000), isStandIn: false)
        return zoom
    }

    @Test func `a fitted image is asked for at the canvas's size in pixels of the screen`() {
        let fitted = Rendition.choose(zoom(), deviceScale: 2, current: nil, ownSize: nil)
        #expect(fitted == .fitted(PixelSize(width: 1600, height: 1200)))
        let request = fitted.request(ImageRequest(source: .data(Data())))
        #expect(request.size == ResizeTarget(width: 1600, height: 1200))
    }

    @Test func `an enlarged image is asked for as large as it is`() {
        var zoom = zoom()
        zoom.zoom(by: 1.1)
        let whole = Rendition.choose(zoom, deviceScale: 1, current: nil, ownSize: photo)
        #expect(whole == .whole)
        #expect(whole.request(ImageRequest(source: .data(Data()), size: ResizeTarget(width: 1))).size == nil)
    }

    @Test func `an image that is smaller than the canvas is whole already`() {
        var zoom = zoom()
        zoom.zoom(by: 2)
        let small = PixelSize(width: 300, height: 200)
        #expect(Rendition.choose(zoom, deviceScale: 1, current: nil, ownSize: small) != .whole)
    }

    @Test(arguments: [(790.0, false), (500.0, false), (300.0, true), (900.0, true)])
    func `a window that changes by little asks for nothing`(_ width: Double, _ asks: Bool) {
        let current = Rendition.fitted(PixelSize(width: 800, height: 600))
        let zoom = zoom(CGSize(width: width, height: 600 * min(width / 800, 1)))
        let next = Rendition.choose(zoom, deviceScale: 1, current: current, ownSize: photo)
        #expect((next != current) == asks)
    }
}
