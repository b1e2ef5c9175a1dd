#if GTK
    import CGTK4
    import CalotypeHTTP
    import CalotypeTesting
    import CalotypeUI
    import Foundation
    import Requirements
    import Testing

    @testable import CalotypeGTK

    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct KeptPictureTests {
        private let studio: Studio

        init() throws {
            studio = try Studio()
        }

        @Test(.requirement("C11"), arguments: [false, true])
        func `a picture keeps its image until the next one is there, if it is asked to`(keeps: Bool) async throws {
            let gate = Gate()
            studio.origin.on("/1", .ok(try Palette.png(0x3060C0)))
            studio.origin.on("/2", .ok(try Palette.png(0x20A040)).held(by: gate))
            var options = studio.options
            options.keepsImageWhileLoading = keeps
            let picture = RemotePicture(options, style: PictureStyle(fit: .cover))
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { picture.state.image != nil }
            picture.show(studio.request("/2"))
            await window.frames { picture.view.spins }
            #expect((await window.screenshot("kept \(keeps)").color(0, 0) == 0x3060C0) == keeps)
            gate.open()
            await window.frames { picture.state.image != nil }
            #expect(await window.screenshot("next \(keeps)").color(0, 0) == 0x20A040)
            window.close()
        }
    }
#endif
