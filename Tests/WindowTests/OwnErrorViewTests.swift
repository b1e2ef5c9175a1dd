#if GTK
    import CGTK4
    import Calotype
    import CalotypeHTTP
    import CalotypeTesting
    import CalotypeUI
    import Foundation
    import Requirements
    import Testing

    @testable import CalotypeGTK

    /// A picture whose application draws its failures.
    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct OwnErrorViewTests {
        private let studio: Studio

        init() throws {
            studio = try Studio()
        }

        /// Returns a widget that fills its place with one color.
        private func plate(_ color: UInt32) throws -> Widget {
            let paintable = try #require(try Palette.bitmap(color).paintable)
            let plate: Widget = gtk_picture_new_for_paintable(paintable.opaque)
            withExtendedLifetime(paintable) {}
            gtk_picture_set_content_fit(plate.opaque, GTK_CONTENT_FIT_COVER)
            return plate
        }

        @Test(.requirement("S2.11"))
        func `an error view of one's own fills the place, until the retry brings the image`() async throws {
            studio.origin.on("/1", replies: [.status(503), .status(404), .ok(try Palette.png(0x20A040))])
            let picture = RemotePicture(studio.options, style: PictureStyle(fit: .cover))
            let plates = [503: try plate(0xC02040), 404: try plate(0x8020C0)]
            var errors: [ImageError] = []
            picture.errorView = { error in
                errors.append(error)
                let other: Widget = gtk_label_new("another failure")
                return plates[error.status ?? 0] ?? other
            }
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { picture.view.page == .error }
            let first = await window.screenshot("own error")
            #expect(first.middle == 0xC02040 && first.color(0, 0) == 0xC02040)
            #expect(picture.view.errorPage == nil)
            picture.retry()
            await window.frames { errors.count == 2 }
            #expect(await window.screenshot("own error again").middle == 0x8020C0)
            picture.retry()
            await window.frames { picture.state.image != nil }
            #expect(picture.view.page == .image && picture.view.ownErrorView == nil)
            #expect(await window.screenshot("own error retried").color(0, 0) == 0x20A040)
            #expect(errors.map(\.status) == [503, 404])
            window.close()
        }

        @Test func `an error view that is set, or taken away, during a failure is shown at once`() async throws {
            studio.origin.on("/1", .status(503))
            let picture = RemotePicture(studio.options, style: PictureStyle(fit: .cover))
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { picture.view.page == .error }
            let plate = try plate(0xC02040)
            picture.errorView = { _ in plate }
            #expect(await window.screenshot("error set").middle == 0xC02040)
            #expect(picture.view.errorPage?.isVisible == false)
            picture.errorView = nil
            #expect(picture.view.errorPage?.isVisible == true && picture.view.ownErrorView == nil)
            _ = await window.screenshot("error unset")
            picture.show(nil)
            #expect(picture.view.page == .loading)
            window.close()
        }
    }
#endif
