#if GTK
    import CAdwaita
    import Calotype
    import CalotypeTesting
    import Foundation
    import Testing

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    /// The keyboard focus, and the effects of keys.
    @MainActor
    @Suite(.timeLimit(.minutes(2))) struct GalleryKeyboardTests {
        private func hasFocus(_ stage: GalleryStage) -> Bool {
            guard let grid = stage.grid else { return false }
            return gtk_window_get_focus(stage.window.widget.window) == grid.controller.canvas.widget
        }

        @Test func `the grid has the keyboard after the start, a reload and a search, and the first arrow selects`()
            async throws
        {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 6)
            #expect(hasFocus(stage))
            #expect(stage.grid?.selectedPosition == nil, "nothing looks chosen before somebody chooses")
            stage.window.actions.activate("reload")
            await stage.showsImages()
            #expect(hasFocus(stage))
            stage.window.actions.activate("search")
            stage.window.searchBar.text = "1003"
            await stage.frames.frames { stage.model.items.count == 1 }
            #expect(!hasFocus(stage), "the search goes on")
            stage.window.searchBar.isOpen = false
            await stage.frames.frames { stage.model.items.count == 6 }
            #expect(hasFocus(stage))
            #expect(stage.grid?.controller.press(UInt32(GDK_KEY_Right)) == true)
            #expect(stage.grid?.selectedPosition == 0)
            stage.close()
        }

        @Test func `a selected tile has a ring around it, a hovered one has none`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 6)
            let controller = try #require(stage.grid?.controller)
            func gap(_ position: Int) async -> UInt32 {
                _ = await stage.frames.screenshot("gallery ring")
                let tile = controller.geometry.frame(at: position)
                return Screenshot(of: controller.widget).color(tile.x - 3, tile.y + tile.height / 2)
            }
            let before = await gap(1)
            controller.hover(1)
            #expect(await gap(1) == before)
            stage.grid?.selectedPosition = 1
            #expect(await gap(1) != before)
            #expect(await gap(2) == before)
            stage.close()
        }

        @Test func `the keys of the window that the list of shortcuts has are those that the window obeys`() throws {
            let stage = try GalleryStage()
            let application = gtk_window_get_application(stage.window.widget.window)
            let group = try #require(GalleryShortcuts.groups.first)
            let keys = group.shortcuts.filter { $0.action != nil }.flatMap { $0.keys.split(separator: " ") }
            for key in keys {
                let actions = gtk_application_get_actions_for_accel(application, String(key))
                #expect(actions?.pointee != nil, "\(key)")
                g_strfreev(actions)
            }
            stage.close()
        }

        @Test func `several files open in one window, in the order in which they are named`() async throws {
            let stage = try GalleryStage()
            let folder = try stage.folder(["a.png", "b.png", "c.png"])
            let before = g_list_model_get_n_items(gtk_window_get_toplevels())
            stage.window.open(["c", "a"].map { "\(folder)/\($0).png" })
            await stage.frames.frames { stage.model.phase == .images }
            #expect(stage.model.items.map(\.name) == ["c", "a"])
            #expect(stage.window.viewer?.index == 0)
            #expect(g_list_model_get_n_items(gtk_window_get_toplevels()) == before)
            #expect(stage.window.settings.recent.isEmpty)
            stage.window.open(["\(folder)/a.png", folder])
            await stage.showsPage(GalleryTexts.invalid)
            #expect(stage.window.statusPage?.sentence == GalleryTexts.severalPlaces)
            stage.close()
        }

        @Test func `in a window as narrow as a telephone nothing is cut off`() async throws {
            var settings = GallerySettings()
            // Without a compositor the window has a border of 5 points.
            (settings.width, settings.height, settings.columns) = (370, 640, 5)
            let stage = try GalleryStage(settings: settings)
            try await stage.openFolder(of: 12)
            let controller = try #require(stage.grid?.controller)
            #expect(controller.geometry.columns == 3)
            let width = gtk_widget_get_width(controller.widget)
            #expect(width == 360)
            _ = await stage.frames.screenshot("narrow grid")
            stage.window.actions.activate("what-happens")
            stage.window.showViewer(at: 1)
            let viewer = try #require(stage.window.viewer)
            await stage.frames.frames { viewer.bar.isNarrow && viewer.shown?.origin != nil }
            viewer.perform(.details)
            await stage.frames.nextFrame()
            _ = await stage.frames.screenshot("narrow viewer")
            #expect(viewer.details.isAbove)
            // Without a compositor the header bar overlaps the border by a point on either side.
            #expect(gtk_widget_get_width(viewer.bar.widget) <= width + 2)
            for part in [viewer.stage.widget, viewer.details.panel, stage.window.whatHappens.widget] {
                #expect(gtk_widget_get_width(part) <= width)
            }
            viewer.perform(.close)
            #expect(!viewer.details.isShown && stage.window.viewer != nil, "Escape closes what lies above first")
            stage.close()
        }

        @Test func `a file that is no image, and one that is damaged, are called what they are`() async throws {
            let stage = try GalleryStage()
            let notes = stage.directory.appending(path: "notes.txt")
            let fake = stage.directory.appending(path: "fake.png")
            for file in [notes, fake] { try Data("words".utf8).write(to: file) }
            stage.window.open(notes.path)
            await stage.showsPage(GalleryTexts.invalid)
            #expect(stage.window.statusPage?.sentence == GalleryTexts.notAnImage("notes.txt"))
            stage.window.open(fake.path)
            await stage.frames.frames { stage.window.viewer?.stage.picture.state.error != nil }
            #expect(stage.window.viewer?.stage.picture.state.error?.localizedDescription == "The file is not an image.")
            #expect(stage.window.viewer?.stage.picture.view.retryButton == nil, "the file stays as it is")
            stage.close()
        }
    }
#endif
