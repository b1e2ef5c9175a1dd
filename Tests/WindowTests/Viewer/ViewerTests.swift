#if GTK
    import CAdwaita
    import Calotype
    import CalotypeCodecs
    import CalotypeGTK
    import CalotypeTesting
    import CalotypeUI
    import Foundation
    import Testing

    @testable import CalotypeGallery

    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct ViewerTests {
        @Test func `a photo opens with what its tile shows, and the large image takes its place`() async throws {
            let room = try await ViewerRoom(isOpen: false)
            _ = try await room.model.loader.fetch(try #require(room.tileRequest(at: 1)))
            let viewer = room.open(1)
            #expect(
                await room.color(viewer, "viewer-tile") == ViewerRoom.tileColor(1), "the first frame is not blank")
            room.gates.openAll()
            await room.frames(untilLarge: viewer)
            #expect(await room.color(viewer, "viewer") == ViewerRoom.color(1))
            #expect(viewer.bar.titles == ["Photo 1", ViewerTexts.position(2, of: 5)])
            room.leave()
        }

        @Test func `the image is fitted into its place, and asked for at that size`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            let canvas = viewer.zoom.canvas
            let bitmap = try #require(viewer.stage.picture.state.image?.bitmap)
            #expect(Double(bitmap.width) <= canvas.width && Double(bitmap.height) <= canvas.height)
            #expect(Double(bitmap.width) > canvas.width - 2 || Double(bitmap.height) > canvas.height - 2)
            #expect(viewer.zoom.isFitted)
            room.leave()
        }

        @Test func `at its own size the whole image is loaded, and fitted again when it is not`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            viewer.perform(.actualSize)
            await room.window.frames { viewer.stage.picture.state.image?.bitmap.width == ViewerRoom.size.width }
            #expect(viewer.zoom.scale == 1 && viewer.controls.text == "100 %")
            await room.window.nextFrame()
            #expect(gtk_widget_get_width(viewer.stage.picture.widget) == 1200)
            viewer.perform(.fit)
            await room.window.frames { viewer.stage.picture.state.image.map { $0.bitmap.width < 1200 } ?? false }
            #expect(viewer.zoom.isFitted)
            room.leave()
        }

        @Test func `without a disk, its own size is asked of the server, once someone needs it`() async throws {
            let room = try await ViewerRoom(photos: 1, keepsFiles: false)
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            await viewer.reading?.value
            #expect(
                room.origin.requestCount("/large/0.png") == 1, "facts that nobody looks at are not worth a download")
            viewer.perform(.actualSize)
            await room.window.frames { viewer.zoom.scale == 1 && !viewer.zoom.isFitted }
            #expect(viewer.ownSize == PixelSize(width: 1200, height: 900))
            room.leave()
        }

        @Test func `the wheel zooms to the pointer, and dragging moves the image to its edge`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            // Large enough to leave no gap on any side, which would be closed first.
            viewer.perform(.actualSize)
            await room.window.frames { viewer.zoom.scale == 1 && !viewer.zoom.isFitted && viewer.ownSize != nil }
            viewer.pointer = CGPoint(x: 100, y: 100)
            let before = viewer.zoom.frame
            for _ in 0..<4 { viewer.scroll(x: 0, y: -1, isTouchpad: false) }
            let after = viewer.zoom.frame
            #expect(after.width > before.width * 1.5)
            #expect(abs((100 - before.minX) / before.width - (100 - after.minX) / after.width) < 0.01)
            viewer.drag(x: 5000, y: 5000)
            #expect(abs(viewer.zoom.frame.minX) < 1e-6 && abs(viewer.zoom.frame.minY) < 1e-6)
            for _ in 0..<12 { viewer.scroll(x: 0, y: 1, isTouchpad: false) }
            #expect(viewer.zoom.isFitted)
            room.leave()
        }

        @Test func `the neighbours are loaded ahead, and are there when one goes to them`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(1)
            await room.frames(untilLarge: viewer)
            await room.window.frames { room.asked == [0, 1, 2, 3] && room.model.loader.statistics.images == 0 }
            let asked = room.origin.requestCount("/large/2.png")
            viewer.perform(.next)
            await room.window.frames { viewer.shown?.origin != nil }
            #expect(viewer.shown?.origin == .memory && viewer.index == 2)
            #expect(await room.color(viewer, "viewer-next") == ViewerRoom.color(2))
            #expect(room.origin.requestCount("/large/2.png") == asked)
            #expect(room.moves == [1, 2])
            room.leave()
        }

        @Test func `leaving ends what was loaded ahead`() async throws {
            let room = try await ViewerRoom(isOpen: false)
            room.gates[1].open()
            let viewer = room.open(1)
            await room.frames(untilLarge: viewer)
            await room.window.frames { !room.gates.waiting.isEmpty }
            viewer.perform(.close)
            #expect(room.closings == 1 && room.viewer == nil)
            await room.window.frames { room.model.loader.statistics.sources == 0 }
            room.gates.openAll()
            room.leave()
        }

        @Test func `it ends at the first and the last photo`() async throws {
            let room = try await ViewerRoom(photos: 2)
            let viewer = room.open(0)
            viewer.perform(.previous)
            #expect(viewer.index == 0 && gtk_widget_get_visible(viewer.controls.previous) == 0)
            viewer.perform(.last)
            viewer.perform(.next)
            #expect(viewer.index == 1 && gtk_widget_get_visible(viewer.controls.next) == 0)
            viewer.perform(.first)
            #expect(viewer.index == 0)
            room.leave()
        }

        @Test func `of a list that is read page by page, the viewer knows the whole number, and End its last image`()
            async throws
        {
            let stage = try GalleryStage()
            stage.serve(100)
            stage.window.open(stage.origin.url("/").absoluteString)
            await stage.showsImages()
            stage.window.showViewer(at: 4)
            let viewer = try #require(stage.window.viewer)
            #expect(viewer.bar.titles[1] == ViewerTexts.position(5, of: 100))
            viewer.perform(.last)
            await stage.frames.frames { viewer.index == 99 && viewer.shown?.origin != nil }
            #expect(viewer.bar.titles == ["Photo 99", ViewerTexts.position(100, of: 100)])
            _ = await stage.frames.screenshot("viewer at the end")
            stage.close()
        }

        @Test func `on the way to the last image, the user's next command is obeyed`() async throws {
            let stage = try GalleryStage()
            let pages = Gate()
            stage.serve(100, pages: pages)
            stage.window.open(stage.origin.url("/").absoluteString)
            await stage.showsImages()
            stage.window.showViewer(at: 4)
            let viewer = try #require(stage.window.viewer)
            viewer.perform(.last)
            await stage.frames.frames { stage.origin.requests.contains { $0.target == "/photos?page=2" } }
            #expect(viewer.index == 4)
            viewer.perform(.next)
            pages.open()
            await stage.frames.frames { stage.model.items.count > 30 }
            for _ in 0..<4 { await stage.frames.nextFrame() }
            #expect(viewer.index == 5)
            stage.close()
        }

        @Test func `two fingers on a touchpad turn the page once, and move an enlarged image`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(2)
            await room.frames(untilLarge: viewer)
            for _ in 0..<20 { viewer.scroll(x: 10, y: 1, isTouchpad: true) }
            #expect(viewer.index == 3)
            await room.frames(untilLarge: viewer)
            viewer.change { $0.zoom(by: 4) }
            let x = viewer.zoom.frame.minX
            viewer.scroll(x: 20, y: 0, isTouchpad: true)
            #expect(viewer.index == 3 && abs(viewer.zoom.frame.minX - (x - 20)) < 1e-6)
            room.leave()
        }

        @Test func `an animation plays`() async throws {
            calotype_set_animations(1)
            defer { calotype_set_animations(0) }
            let gif = SampleAnimations.gif(
                width: 90, height: 60, colors: [0x3060C0, 0xC06030, 0x30C060], repetitions: nil)
            let room = try await ViewerRoom(photos: 1) { _ in .ok(gif, type: "image/gif") }
            let viewer = room.open(0)
            await room.window.frames {
                viewer.stage.picture.state.image.map { Palette.color(of: $0.bitmap) } == 0x30C060
            }
            #expect(await room.color(viewer, "viewer-animation") == 0x30C060)
            room.leave()
        }

        @Test func `a slow image is seen while it arrives, in the place that it will have`() async throws {
            let photograph = try DecoderRegistry.standard.decode(SamplePhotos.png(width: 1200, height: 800))
            let file = try photograph.encoded(as: .jpeg(quality: 92, isProgressive: true))
            let gate = Gate()
            let room = try await ViewerRoom(photos: 1) { _ in .ok(file).bodyHeld(by: gate, after: file.count / 3) }
            let viewer = room.open(0)
            await room.window.frames {
                // More than the tile's 40 pixels.
                guard case .loading(_, let preview?) = viewer.stage.picture.state else { return false }
                return preview.bitmap.width > 40
            }
            _ = await room.window.screenshot("viewer-arriving")
            let early = viewer.zoom.frame
            #expect(viewer.shown?.isVisible == true && abs(early.width / early.height - 1.5) < 0.01)
            gate.open()
            await room.frames(untilLarge: viewer)
            #expect(abs(viewer.zoom.frame.width - early.width) < 2)
            room.leave()
        }

        @Test func `the image grows out of its tile, and goes back into it`() async throws {
            calotype_set_animations(1)
            defer { calotype_set_animations(0) }
            let room = try await ViewerRoom(isOpen: false)
            _ = try await room.model.loader.fetch(try #require(room.tileRequest(at: 0)))
            let tile = CGRect(x: 20, y: 300, width: 90, height: 90)
            room.frames[0] = tile
            let viewer = room.open(0, from: tile)
            #expect(viewer.isMoving)
            let shot = await room.window.screenshot("viewer-opening")
            #expect(shot.color(65, 345) == ViewerRoom.tileColor(0), "it starts at the tile")
            await room.window.frames { !viewer.isMoving }
            #expect(await room.color(viewer) == ViewerRoom.tileColor(0))
            viewer.perform(.close)
            #expect(room.closings == 0, "it is on its way")
            await room.window.frames { room.closings == 1 }
            room.gates.openAll()
            room.leave()
        }

        @Test func `without animations the image is simply there, and gone`() async throws {
            let room = try await ViewerRoom()
            room.frames[0] = CGRect(x: 20, y: 300, width: 90, height: 90)
            let viewer = room.open(0, from: room.frames[0])
            #expect(!viewer.isMoving)
            await room.frames(untilLarge: viewer)
            viewer.perform(.close)
            #expect(room.closings == 1)
            room.leave()
        }

        @Test func `a photo that cannot be loaded says so, and its neighbour is shown all the same`() async throws {
            let room = try await ViewerRoom { row in
                row == 0 ? .status(404) : .ok(ViewerRoom.png(ViewerRoom.color(row)), type: "image/png")
            }
            let viewer = room.open(0)
            await room.window.frames { viewer.stage.picture.state.error != nil }
            _ = await room.window.screenshot("viewer-error")
            #expect(viewer.stage.picture.view.message != nil)
            #expect(gtk_widget_get_visible(viewer.controls.scale) == 0, "there is nothing to zoom")
            viewer.perform(.next)
            await room.frames(untilLarge: viewer)
            #expect(await room.color(viewer) == ViewerRoom.color(1))
            room.leave()
        }

        @Test func `when the list changes, it stays with its image, or closes if that is gone`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(3)
            room.model.search = "Photo 3"
            viewer.listChanged()
            #expect(viewer.index == 0 && viewer.bar.titles[1] == ViewerTexts.position(1, of: 1))
            room.model.search = "Photo 4"
            viewer.listChanged()
            #expect(room.closings == 1)
            room.leave()
        }
    }
#endif
