#if GTK
    import CAdwaita
    import Calotype
    import CalotypeTesting
    import Foundation
    import Testing

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    /// The grid of the gallery: columns, sections, captions and the keyboard.
    @MainActor
    @Suite(.timeLimit(.minutes(2))) struct GridZoomTests {
        @Test func `the wheel changes the columns, and the image below the pointer stays where it is`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 120)
            let controller = try #require(stage.grid?.controller)
            gtk_adjustment_set_value(controller.adjustment, 1500)
            await stage.frames.nextFrame()
            controller.pointer = (400, 300)
            func below() throws -> Int {
                let height = gtk_adjustment_get_value(controller.adjustment) + 300
                return try #require(
                    controller.geometry.item(atX: 400, y: height)
                        ?? controller.geometry.items(in: height..<height + 1).first)
            }
            for (notches, columns) in [(1.0, 5), (0.5, 5), (0.5, 6), (-30, 2)] {
                let image = try below()
                let before = controller.y(of: image, part: 0.5)
                #expect(controller.turn(notches))
                await stage.frames.nextFrame()
                #expect(controller.geometry.columns == columns)
                #expect(stage.window.settings.columns == columns)
                #expect(abs(controller.y(of: image, part: 0.5) - before) <= 1)
            }
            stage.close()
        }

        @Test func `two fingers change the columns as far as they move apart, from 2 to 8`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 60)
            let controller = try #require(stage.grid?.controller)
            controller.pinchBegins()
            controller.pinch(0.66, around: (100, 100))
            #expect(controller.geometry.columns == 6)
            controller.pinch(0.1, around: (100, 100))
            #expect(controller.geometry.columns == 8)
            controller.pinch(1.4, around: nil)
            #expect(controller.geometry.columns == 3)
            controller.pinch(9, around: nil)
            #expect(controller.geometry.columns == 2)
            stage.close()
        }

        @Test func `when the window changes its width, the first row that is seen stays`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 120)
            let controller = try #require(stage.grid?.controller)
            gtk_adjustment_set_value(controller.adjustment, 2000)
            await stage.frames.nextFrame()
            let first = try #require(controller.visibleCells.first?.position)
            let before = controller.y(of: first, part: 0)
            for width in [700, 1240, 820] {
                let old = controller.geometry.width
                stage.frames.resize(width: width, height: 700)
                await stage.frames.frames { controller.geometry.width != old }
                await stage.frames.nextFrame()
                #expect(abs(controller.y(of: first, part: 0) - before) <= 1)
            }
            stage.close()
        }

        @Test func `images are in sections by folder or by date, and in none when the person says so`() async throws {
            let stage = try GalleryStage()
            let folder = try stage.folder(["a/1.png", "b.png", "b/2.png", "b/3.png"])
            let days = [("a/1.png", 1_700_000_000.0), ("b/2.png", 1_700_000_100), ("b/3.png", 1_600_000_000)]
            for (name, time) in days {
                let path = URL(fileURLWithPath: folder).appending(path: name).path
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
            }
            stage.window.open(folder)
            await stage.showsImages()
            let controller = try #require(stage.grid?.controller)
            #expect(controller.geometry.sections.map(\.title) == ["Holidays", "a", "b"])
            #expect(controller.geometry.sections.map(\.items.count) == [1, 1, 2])
            _ = await stage.frames.screenshot("gallery sections")
            stage.window.actions.activate("group-by", "date")
            await stage.showsImages()
            #expect(controller.geometry.sections.map(\.items.count) == [1, 2, 1])
            #expect(stage.model.items.map(\.name) == ["b", "2", "1", "3"])
            stage.window.actions.activate("group-by", "nothing")
            await stage.showsImages()
            #expect(controller.geometry.sections.map(\.title) == [nil])
            stage.close()
        }

        @Test func `the keyboard alone selects an image, scrolls to it and opens it`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 60)
            let controller = try #require(stage.grid?.controller)
            // Focuses the button, as the Tab key does.
            gtk_widget_grab_focus(stage.window.header.searchButton)
            gtk_widget_grab_focus(controller.canvas.widget)
            #expect(stage.grid?.selectedPosition == 0)
            let keys = [GDK_KEY_Right, GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_Left, GDK_KEY_Up]
            let positions = keys.map { key in
                _ = controller.press(UInt32(key))
                return stage.grid?.selectedPosition
            }
            #expect(positions == [1, 5, 9, 8, 4])
            _ = controller.press(UInt32(GDK_KEY_End))
            #expect(stage.grid?.selectedPosition == 59)
            await stage.frames.frames { controller.cells[59] != nil }
            #expect(controller.cells[59]?.isSelected == true)
            _ = controller.press(UInt32(GDK_KEY_Page_Up))
            #expect(try #require(stage.grid?.selectedPosition) < 59)
            _ = controller.press(UInt32(GDK_KEY_Return))
            #expect(stage.window.viewer?.index == stage.grid?.selectedPosition)
            stage.close()
        }

        @Test func `the name of an image is shown while the pointer is on its tile`() async throws {
            let stage = try GalleryStage()
            stage.window.open(try stage.folder(["Lighthouse.png", "Dunes.png"]))
            await stage.showsImages()
            let controller = try #require(stage.grid?.controller)
            #expect(controller.captions.hoveredText == nil)
            controller.hover(1)
            #expect(controller.captions.hoveredText == "Lighthouse")
            let shot = await stage.frames.screenshot("gallery caption")
            #expect(shot.width > 0)
            #expect(gtk_widget_get_child_visible(controller.captions.lowest) != 0)
            controller.hover(nil)
            #expect(controller.captions.hoveredText == nil)
            stage.close()
        }

        @Test func `a tile that loads shimmers, and only where there is no placeholder`() async throws {
            let stage = try GalleryStage()
            let gate = Gate()
            let png = try Palette.png(0x3060C0)
            let hash = try ThumbHash(Palette.bitmap(0x802040, width: 30, height: 30)).data.base64EncodedString()
            stage.origin.onAny { request in
                if request.path.hasPrefix("/images") { return OriginReply.ok(png, type: "image/png").held(by: gate) }
                let text = """
                    {"current_page": 1, "total_pages": 1, "total_items": 2, "photos": [
                    {"id": 1, "name": "A", "image_url": "/images/1"},
                    {"id": 2, "name": "B", "image_url": "/images/2", "thumb_hash": "\(hash)"}]}
                    """
                return .ok(Data(text.utf8), type: "application/json")
            }
            stage.window.open(stage.origin.url("/").absoluteString)
            await stage.origin.waitForRequests(3)
            await stage.frames.frames { [stage] in stage.grid?.controller.visibleCells.count == 2 }
            let cells = try #require(stage.grid?.controller.visibleCells)
            await stage.frames.frames { gtk_widget_has_css_class(cells[0].view.widget, "calotype-loading") != 0 }
            #expect(gtk_widget_has_css_class(cells[1].view.widget, "calotype-loading") == 0)
            let preview = try #require(cells[1].view.binder?.state.preview)
            let color = Palette.color(of: preview)
            #expect(color >> 16 > 0x60 && color & 0xFF < 0x80, "the color of the hash")
            gate.open()
            await stage.showsImages()
            #expect(gtk_widget_has_css_class(cells[0].view.widget, "calotype-loading") == 0)
            stage.close()
        }

        @Test func `assistive technologies find a list of images`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 3)
            let controller = try #require(stage.grid?.controller)
            #expect(gtk_accessible_get_accessible_role(controller.canvas.widget.opaque) == GTK_ACCESSIBLE_ROLE_LIST)
            let cell = try #require(controller.cells[0]?.view.widget)
            #expect(gtk_accessible_get_accessible_role(cell.opaque) == GTK_ACCESSIBLE_ROLE_LIST_ITEM)
            stage.close()
        }
    }

    extension RemoteImageState {
        fileprivate var preview: Bitmap? {
            if case .loading(_, let preview) = self { preview?.bitmap } else { nil }
        }
    }
#endif
