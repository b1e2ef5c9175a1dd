#if GTK
    import CGTK4
    import Calotype
    import CalotypeCodecs
    import CalotypeTesting
    import CalotypeUI
    import Foundation
    import Requirements
    import Testing

    @testable import CalotypeGTK

    /// The settings that widgets inherit from those above them, and the views in place of an image.
    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct SubtreeTests {
        private let studio: Studio

        init() throws {
            studio = try Studio()
            studio.origin.on("/1", .ok(try Palette.png(0x3060C0)))
        }

        private func otherLoader() throws -> ImageLoader { try Studio().loader }

        private func box() -> (widget: Widget, box: UnsafeMutablePointer<GtkBox>) {
            let widget: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            return (widget, UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkBox.self))
        }

        @Test(.requirement("S0.15"))
        func `a picture takes the loader of the nearest widget above, unless its options name one`()
            async throws
        {
            let (outer, outerBox) = box()
            let (inner, innerBox) = box()
            gtk_box_append(outerBox, inner)
            let far = try otherLoader()
            outer.imageLoader = far
            inner.imageLoader = studio.loader
            let (picture, own, outside) = (
                RemotePicture(), RemotePicture(RemoteImageOptions(loader: far)), RemotePicture()
            )
            for widget in [picture.widget, own.widget] {
                gtk_widget_set_vexpand(widget, 1)
                gtk_box_append(innerBox, widget)
            }
            gtk_widget_set_vexpand(outside.widget, 1)
            gtk_box_append(outerBox, outside.widget)
            let window = TestWindow(outer)
            for each in [picture, own, outside] { each.show(studio.request("/1")) }
            await window.frames { [picture, own, outside].allSatisfy { $0.state.image != nil } }
            #expect(picture.view.binder?.options.loader === studio.loader)
            #expect(own.view.binder?.options.loader === far)
            #expect(outside.view.binder?.options.loader === far)
            #expect(studio.loader.statistics.originals[.network] == 1)
            window.close()
        }

        @Test(.requirement("S0.15"))
        func `shown before it has a place, a picture takes the loader of its place when it is mapped`()
            async throws
        {
            let picture = RemotePicture()
            picture.show(studio.request("/1"))
            #expect(picture.view.binder?.options.loader === ImageLoader.shared)
            let (outer, outerBox) = box()
            outer.imageLoader = studio.loader
            gtk_widget_set_vexpand(picture.widget, 1)
            gtk_box_append(outerBox, picture.widget)
            let window = TestWindow(outer)
            await window.frames { picture.state.image != nil }
            #expect(studio.loader.statistics.originals[.network] == 1)
            // Without its own loader, the widget uses the default.
            outer.imageLoader = nil
            #expect(picture.widget.nearestImageLoader === ImageLoader.shared)
            window.close()
        }

        @Test(.requirement("S0.15")) func `a grid takes the loader of the nearest widget above`() async throws {
            let origin = studio.origin
            let grid = RemoteImageGrid<Row> { _ in ImageRequest(origin.url("/1")) }
            grid.append([Row(id: 1), Row(id: 2)])
            let (outer, outerBox) = box()
            outer.imageLoader = studio.loader
            gtk_widget_set_vexpand(grid.widget, 1)
            gtk_box_append(outerBox, grid.widget)
            let window = TestWindow(outer)
            await window.frames {
                let cells = grid.controller.visibleCells
                return cells.count == 2 && cells.allSatisfy { $0.view.binder?.state.image != nil }
            }
            #expect(grid.controller.options.loader === studio.loader)
            #expect(studio.loader.statistics.originals[.network] == 1)
            window.close()
        }

        @Test(.requirement("S0.17", "S0.20"))
        func `a placeholder fills the place until the image is there, behind the spinner`()
            async throws
        {
            let gate = Gate()
            studio.origin.on("/2", .ok(try Palette.png(0x3060C0)).held(by: gate))
            studio.origin.on("/gone", .status(410))
            let picture = RemotePicture(studio.options, style: PictureStyle(fit: .cover))
            let red = try #require(try Palette.bitmap(0xC02040).paintable)
            let stand = gtk_picture_new_for_paintable(red.opaque)
            withExtendedLifetime(red) {}
            gtk_picture_set_content_fit(stand?.opaque, GTK_CONTENT_FIT_COVER)
            picture.placeholder = stand
            picture.show(studio.request("/2"))
            let window = TestWindow(picture.widget)
            await window.frames { picture.view.spins }
            #expect(await window.screenshot("placeholder").color(0, 0) == 0xC02040)
            gate.open()
            await window.frames { picture.state.image != nil }
            #expect(!picture.view.showsPlaceholder)
            #expect(await window.screenshot("no placeholder").color(0, 0) == 0x3060C0)
            picture.show(studio.request("/gone"))
            await window.frames { picture.state.error != nil }
            #expect(!picture.view.showsPlaceholder)
            picture.show(nil)
            #expect(picture.view.showsPlaceholder)
            picture.placeholder = nil
            window.close()
        }

        @Test(.requirement("S0.20")) func `each cell of a grid has a placeholder until its image is there`()
            async throws
        {
            let gate = Gate()
            studio.origin.on("/2", .ok(try Palette.png(0x3060C0)).held(by: gate))
            let origin = studio.origin
            let red = try #require(try Palette.bitmap(0xC02040).paintable)
            let grid = RemoteImageGrid<Row>(
                options: studio.options,
                placeholder: {
                    let stand: Widget = gtk_picture_new_for_paintable(red.opaque)
                    gtk_picture_set_content_fit(stand.opaque, GTK_CONTENT_FIT_COVER)
                    return stand
                }
            ) { _ in ImageRequest(origin.url("/2")) }
            grid.append([Row(id: 1), Row(id: 2)])
            let window = TestWindow(width: 300, height: 300, grid.widget)
            await studio.origin.waitForRequests(1)
            let shot = await window.screenshot("grid placeholder")
            #expect(shot.color(5, 5) == 0xC02040 && shot.color(105, 5) == 0xC02040)
            gate.open()
            await window.frames {
                grid.controller.visibleCells.allSatisfy { $0.view.binder?.state.image != nil }
            }
            #expect(await window.screenshot("grid").color(5, 5) == 0x3060C0)
            #expect(grid.controller.visibleCells.allSatisfy { !$0.view.showsPlaceholder })
            window.close()
        }

        @Test(.requirement("S0.20"))
        func `what arrives fades in; what is in memory does not, nor where the style says so`()
            async throws
        {
            calotype_set_animations(1)
            defer { calotype_set_animations(0) }
            func fades(_ path: String, _ style: PictureStyle) async throws -> Bool {
                let picture = RemotePicture(studio.options, style: style)
                var fades: Bool?
                picture.onStateChange = { [weak view = picture.view] in
                    if $0.image != nil { fades = view?.fadesIn }
                }
                picture.show(studio.request(path))
                let window = TestWindow(picture.widget)
                await window.frames { fades != nil }
                if fades == true {
                    // In the end the image is fully visible.
                    while await window.screenshot("fading").middle != 0x3060C0 {}
                }
                window.close()
                return fades ?? false
            }
            var plain = PictureStyle(fit: .cover)
            #expect(try await fades("/1", plain))
            #expect(try await !fades("/1", plain))
            plain.fadesIn = false
            studio.origin.on("/3", .ok(try Palette.png(0x3060C0)))
            #expect(try await !fades("/3", plain))
        }
    }
#endif
