#if GTK
    import Calotype
    import CalotypeCodecs
    import CalotypeTesting
    import CalotypeUI
    import Foundation
    import Requirements
    import Testing

    @testable import CalotypeGTK

    /// An image that is visible while its bytes arrive.
    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct ArrivingImageTests {
        /// Returns a photograph of more than 100 KB, with one color in its middle.
        private func photograph(_ format: EncodingFormat) throws -> Data {
            let drawn = try DecoderRegistry.standard.decode(SamplePhotos.png(width: 1200, height: 800))
            let middle = try Palette.bitmap(0x3060C0, width: 240, height: 160)
            return try drawn.applying(ImageSteps.Overlay(middle, gravity: .center)).encoded(as: format)
        }

        @Test(.requirement("B61"))
        func `a progressive image is seen while it arrives`()
            async throws
        {
            let studio = try Studio()
            let gate = Gate()
            let file = try photograph(.jpeg(quality: 92, isProgressive: true))
            #expect(file.count > 100_000)
            studio.origin.on("/1", .ok(file).bodyHeld(by: gate, after: file.count / 3))
            let picture = RemotePicture(studio.options, style: PictureStyle(fit: .cover))
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { picture.view.page == .image }
            #expect(picture.state.isLoading)
            let early = await window.screenshot("arriving")
            // Beside the spinner, which stays until the image is whole.
            #expect(early.color(126, 86).isClose(to: 0x3060C0))
            gate.open()
            await window.frames { picture.state.image != nil }
            #expect(await window.screenshot("arrived").middle.isClose(to: 0x3060C0))
            window.close()
        }
    }

    extension UInt32 {
        /// Returns `true` if all channels of two colors are close.
        fileprivate func isClose(to other: UInt32) -> Bool {
            [0, 8, 16].allSatisfy { abs(Int(self >> $0 & 0xFF) - Int(other >> $0 & 0xFF)) <= 12 }
        }
    }
#endif
