#if GTK
    import CAdwaita
    import Calotype
    import CalotypeTesting
    import Foundation
    import Testing

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    /// The gallery's window in use.
    @MainActor
    @Suite(.timeLimit(.minutes(2))) struct GalleryTests {
        @Test func `a folder opens as a grid, with its name and the number of its images in the header bar`()
            async throws
        {
            let stage = try GalleryStage()
            #expect(stage.window.statusPage?.title == GalleryTexts.welcome)
            try await stage.openFolder(of: 5)
            #expect(stage.window.header.titleText == "Holidays")
            #expect(stage.window.header.subtitleText == "5 images")
            let seen = stage.grid?.controller.visibleCells.compactMap { $0.view.binder?.state.image?.bitmap }
            #expect(seen?.map { Palette.color(of: $0) } == (0..<5).map { Palette.color($0) })
            #expect(stage.window.statusPage == nil)
            stage.close()
        }

        @Test func `tiles have margins and gutters of 12 points`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 9)
            let first = try #require(stage.grid?.controller.geometry.frame(at: 0))
            let second = try #require(stage.grid?.controller.geometry.frame(at: 1))
            let below = try #require(stage.grid?.controller.geometry.frame(at: 4))
            #expect(first.y == 12)
            #expect((12...14).contains(first.x))
            #expect(second.x - first.x - first.width == 12)
            #expect(below.y - first.y - first.height == 12)
            stage.close()
        }

        @Test func `scrolled to the end, the next page of a server is there`() async throws {
            let stage = try GalleryStage()
            stage.serve(200)
            stage.window.open(stage.origin.url("/").absoluteString)
            await stage.showsImages()
            #expect(stage.window.header.subtitleText == "200 images")
            let before = stage.model.items.count
            let adjustment = try #require(stage.grid?.controller.adjustment)
            await stage.frames.frames { [stage] in
                // Up and down, as users scroll: at the end of the list, the adjustment does not move.
                gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
                return stage.model.items.count > before
            }
            #expect(Set(stage.model.items.map(\.id)).count == stage.model.items.count)
            stage.close()
        }

        @Test func `End goes on to the last image of a server's list, and each page is asked for once`() async throws {
            let stage = try GalleryStage()
            stage.serve(1000)
            stage.window.open(stage.origin.url("/").absoluteString)
            await stage.showsImages()
            #expect(stage.grid?.controller.press(UInt32(GDK_KEY_End)) == true)
            _ = await stage.frames.screenshot("gallery on the way to the end")
            await stage.frames.frames { [stage] in stage.grid?.selectedPosition == 999 }
            await stage.showsImages()
            _ = await stage.frames.screenshot("gallery at the end")
            #expect(stage.window.header.subtitleText == GalleryTexts.imageCount(1000))
            #expect(stage.window.tileFrame(at: 999) != nil, "its tile has been scrolled to")
            let pages = stage.origin.requests.map(\.target).filter { $0.hasPrefix("/photos") }
            #expect(pages.count == 34 && Set(pages).count == 34)
            stage.close()
        }

        @Test func `a search leaves the images with the text in their names, and a search without any says so`()
            async throws
        {
            let stage = try GalleryStage()
            stage.window.open(try stage.folder(["Blue sky.png", "Grass.png", "Sky at night.png"]))
            await stage.showsImages()
            stage.window.actions.activate("search")
            #expect(stage.window.searchBar.isOpen)
            stage.window.searchBar.text = "SKY"
            await stage.frames.frames { [stage] in stage.model.items.count == 2 }
            await stage.showsImages()
            #expect(stage.window.header.subtitleText == "2 of 3 images")
            stage.window.searchBar.text = "whale"
            await stage.showsPage(GalleryTexts.noMatches)
            stage.window.actions.activate("show-all")
            await stage.showsImages()
            #expect(stage.model.items.count == 3)
            #expect(!stage.window.searchBar.isOpen)
            stage.close()
        }

        @Test func `a tile opens the viewer, and the way back leads to the tile of the image that was last seen`()
            async throws
        {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 40)
            stage.grid?.controller.activate(2)
            #expect(stage.window.viewer?.index == 2)
            await stage.frames.nextFrame()
            stage.window.viewerMoved(to: 30)
            stage.window.closeViewer()
            await stage.frames.nextFrame()
            #expect(stage.window.viewer == nil)
            #expect(stage.grid?.selectedPosition == 30)
            #expect(stage.window.tileFrame(at: 30) != nil, "the tile has been scrolled to")
            stage.close()
        }

        @Test func `the place of a tile in the window is where its color is`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 12)
            let frame = try #require(stage.window.tileFrame(at: 5))
            let shot = await stage.frames.screenshot("gallery tile frame")
            // The window has a shadow outside the frame's coordinates.
            let found = (0..<60).contains { offset in
                let (x, y) = (Int(frame.midX) + offset, Int(frame.midY) + offset)
                return x < shot.width && y < shot.height && shot.color(x, y) == Palette.color(5)
            }
            #expect(found)
            stage.close()
        }

        @Test func `an address and a folder can be dropped on the window`() async throws {
            let stage = try GalleryStage()
            let folder = try stage.folder(["a.png", "b.png"], named: "Dropped")
            let file = g_file_new_for_path(folder)
            defer { g_object_unref(file.map { UnsafeMutableRawPointer($0) }) }
            var files = [file]
            var value = calotype_value()
            g_value_init(&value, calotype_type_file_list())
            g_value_take_boxed(&value, UnsafeRawPointer(gdk_file_list_new_from_array(&files, 1)))
            #expect(calotype_emit_drop(stage.window.dropTarget.controller, &value) != 0)
            g_value_unset(&value)
            await stage.showsImages()
            #expect(stage.window.header.titleText == "Dropped")

            stage.serve(3)
            g_value_init(&value, calotype_type_string())
            g_value_set_string(&value, stage.origin.url("/").absoluteString + "\nThe title of the page")
            #expect(calotype_emit_drop(stage.window.dropTarget.controller, &value) != 0)
            g_value_unset(&value)
            await stage.frames.frames { [stage] in stage.model.place?.kind == .feed }
            await stage.showsImages()
            #expect(stage.model.items.count == 3)
            stage.close()
        }

        @Test func `the window, the place and the columns are remembered`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 4)
            stage.window.actions.activate("columns", "6")
            stage.window.actions.activate("group-by", "date")
            let before = gtk_widget_get_width(stage.window.widget)
            stage.frames.resize(width: 700, height: 500)
            await stage.frames.frames { [stage] in gtk_widget_get_width(stage.window.widget) < before }
            let after = gtk_widget_get_width(stage.window.widget)
            stage.close()
            let next = try GalleryStage(in: stage)
            #expect(next.window.settings.place == stage.model.place?.text)
            #expect(next.window.settings.recent == [stage.model.place?.text])
            #expect(next.window.settings.columns == 6)
            #expect(next.model.grouping == .date)
            await next.frames.nextFrame()
            #expect(gtk_widget_get_width(next.window.widget) == after)
            next.close()
        }

        @Test func `until the user chooses, a wide window has more columns`() async throws {
            var settings = GallerySettings()
            (settings.width, settings.height) = (1260, 760)
            let stage = try GalleryStage(settings: settings)
            try await stage.openFolder(of: 12)
            let controller = try #require(stage.grid?.controller)
            let before = controller.geometry.columns
            #expect(before == 5 && controller.geometry.side <= 280)
            #expect(stage.window.settings.columns == nil)
            stage.window.actions.activate("larger")
            await stage.frames.nextFrame()
            #expect(controller.geometry.columns == before - 1)
            #expect(stage.window.settings.columns == before - 1)
            stage.window.actions.activate("columns", "")
            await stage.frames.nextFrame()
            #expect(controller.geometry.columns == before)
            #expect(stage.window.settings.columns == nil)
            stage.close()
        }

        @Test func `settings of another version or nonsense are the defaults, one by one`() throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "calotype-settings-\(UUID())")
            defer { try? FileManager.default.removeItem(at: directory) }
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let file = GallerySettingsFile(directory: directory)
            #expect(file.read() == GallerySettings())
            let text = #"{"columns": 99, "theme": "mauve", "place": "/a", "width": "wide", "unknown": 1}"#
            try Data(text.utf8).write(to: directory.appending(path: "gallery.json"))
            var expected = GallerySettings()
            (expected.columns, expected.place) = (8, "/a")
            #expect(file.read() == expected)
        }

        @Test func `a place that was open is in the menu and opens again`() async throws {
            let stage = try GalleryStage()
            let first = try stage.folder(["a.png"], named: "First")
            stage.window.open(first)
            await stage.showsImages()
            stage.window.open(try stage.folder(["b.png", "c.png"], named: "Second"))
            await stage.frames.frames { [stage] in stage.model.items.count == 2 }
            #expect(stage.window.settings.recent.count == 2)
            stage.window.actions.activate("open-place", first)
            await stage.frames.frames { [stage] in stage.model.items.count == 1 }
            #expect(stage.window.header.titleText == "First")
            #expect(stage.window.settings.recent.first == stage.model.place?.text)
            stage.close()
        }

        @Test func `a closed window leaves nothing behind`() async throws {
            weak var window: GalleryWindow?
            weak var model: GalleryModel?
            do {
                let stage = try GalleryStage()
                try await stage.openFolder(of: 4)
                stage.grid?.controller.activate(0)
                (window, model) = (stage.window, stage.model)
                stage.close()
            }
            let other = TestWindow(gtk_label_new("after"))
            await other.frames { window == nil && model == nil }
            other.close()
        }
    }
#endif
