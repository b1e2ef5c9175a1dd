#if GTK
    import CAdwaita
    import Calotype
    import CalotypeTesting
    import Foundation
    import TestSupport
    import Testing

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    /// The pages in place of the grid: empty, loading, offline and error.
    @MainActor
    @Suite(.timeLimit(.minutes(2))) struct GalleryPageTests {
        @Test func `an empty folder and a folder that is gone are pages with a sentence and a way on`() async throws {
            let stage = try GalleryStage()
            let empty = stage.directory.appending(path: "Empty")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
            stage.window.open(empty.path)
            await stage.showsPage(GalleryTexts.empty)
            #expect(stage.window.statusPage?.sentence == GalleryTexts.folderEmpty)
            #expect(stage.window.statusPage?.actions.map(\.name) == ["win.open-folder"])
            _ = await stage.frames.screenshot("gallery empty")
            stage.window.open("/no/such/folder")
            await stage.showsPage(GalleryTexts.missing)
            #expect(stage.window.statusPage?.sentence == GalleryTexts.folderMissing)
            #expect(stage.window.statusPage?.details?.contains("/no/such/folder") == true)
            stage.close()
        }

        @Test func `while the first page is on its way, a page says that it loads`() async throws {
            let stage = try GalleryStage()
            let gate = Gate()
            stage.origin.onAny { _ in .status(500).held(by: gate) }
            stage.window.open(stage.origin.url("/").absoluteString)
            await stage.origin.waitForRequests(1)
            #expect(stage.window.statusPage?.title == GalleryTexts.loading)
            gate.open()
            await stage.showsPage(GalleryTexts.failed)
            stage.close()
        }

        @Test func `a server without photos, one with a web page and one with a problem say what they are`()
            async throws
        {
            let stage = try GalleryStage()
            stage.serve(0)
            stage.window.open(stage.origin.url("/").absoluteString)
            await stage.showsPage(GalleryTexts.empty)
            #expect(stage.window.statusPage?.sentence == GalleryTexts.serverEmpty)
            stage.origin.onAny { _ in .html("<html>Welcome</html>") }
            stage.window.actions.activate("reload")
            await stage.showsPage(GalleryTexts.failed)
            #expect(stage.window.statusPage?.sentence == GalleryTexts.serverUnusable)
            stage.origin.onAny { _ in .status(503) }
            stage.window.actions.activate("reload")
            await stage.frames.frames { [stage] in
                stage.window.statusPage?.sentence == GalleryTexts.serverAnswered(503)
            }
            #expect(stage.window.statusPage?.title == GalleryTexts.failed)
            #expect(stage.window.statusPage?.details?.contains("503") == true)
            stage.serve(2)
            stage.window.actions.activate("reload")
            await stage.showsImages()
            stage.close()
        }

        @Test(arguments: ["ftp://example.org/", "localhost:8080", "  ", "mailto:somebody@example.org"])
        func `what is no place is answered with a sentence, not with a dead window`(_ text: String) async throws {
            let stage = try GalleryStage()
            stage.window.open(text)
            #expect(stage.window.statusPage?.title == GalleryTexts.invalid)
            #expect(stage.window.statusPage?.actions.first?.name == "win.open-address")
            #expect(stage.window.settings.recent.isEmpty)
            stage.close()
        }

        @Test func `offline, what was seen before is shown, and the window says so`() async throws {
            let stage = try GalleryStage()
            stage.serve(4)
            stage.window.open(stage.origin.url("/").absoluteString)
            await stage.showsImages()
            #expect(!stage.window.offlineBar.isShown)
            stage.origin.stop()
            // Another start, so that memory is empty.
            let next = try GalleryStage(in: stage)
            next.window.open(stage.origin.url("/").absoluteString)
            await next.showsImages()
            #expect(next.model.isOffline)
            #expect(next.window.offlineBar.isShown)
            #expect(next.model.items.count == 4)
            stage.close()
            next.close()
        }

        @Test func `a folder that cannot be read is named above the images of the others`() async throws {
            let stage = try GalleryStage()
            let folder = NSTemporaryDirectory() + "calotype-unread-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try SamplePhotos.jpeg(width: 40, height: 30).write(to: URL(fileURLWithPath: folder + "/a.jpg"))
            stage.window.open(folder)
            await stage.showsImages()
            #expect(!stage.window.missingBar.isShown)
            let unreadable = UnreadableFolder(below: folder)
            stage.window.actions.activate("reload")
            await stage.showsImages()
            #expect(stage.window.missingBar.isShown)
            #expect(stage.window.missingBar.text.hasPrefix("The folder dddd"))
            stage.close()
            withExtendedLifetime(unreadable) {}
        }

        @Test func `offline, with nothing cached, is a page with a button to try again`() async throws {
            let stage = try GalleryStage()
            let address = stage.origin.url("/").absoluteString
            stage.origin.stop()
            stage.window.open(address)
            await stage.showsPage(GalleryTexts.offline)
            let place = stage.origin.url("/").port.map { "127.0.0.1:\($0)" } ?? ""
            #expect(stage.window.statusPage?.sentence == GalleryTexts.nobodyAnswers(at: place))
            #expect(stage.window.statusPage?.actions.map(\.name) == ["win.reload"])
            #expect(!stage.window.offlineBar.isShown)
            stage.close()
        }

        @Test func `the menu's windows open above the gallery`() async throws {
            let stage = try GalleryStage()
            func windows() -> guint { g_list_model_get_n_items(gtk_window_get_toplevels()) }
            let before = windows()
            for action in ["about", "open-address", "shortcuts"] {
                stage.window.actions.activate(action)
                #expect(windows() == before + 1)
                _ = await stage.frames.screenshot("gallery \(action)")
                let newest = g_list_model_get_item(gtk_window_get_toplevels(), before)
                let above = newest?.assumingMemoryBound(to: GtkWindow.self)
                #expect(above != stage.window.widget.window)
                #expect(gtk_window_get_transient_for(above) == stage.window.widget.window)
                gtk_window_destroy(above)
                g_object_unref(newest)
            }
            stage.close()
        }

        @Test func `dark and light are what the menu says`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 2)
            // At the bottom there are no tiles.
            func brightness(_ name: String) async -> UInt32 {
                let shot = await stage.frames.screenshot(name)
                return shot.color(shot.width / 2, shot.height - 60) & 0xFF
            }
            stage.window.actions.activate("theme", "dark")
            #expect(await brightness("gallery dark") < 80)
            stage.window.actions.activate("theme", "light")
            #expect(await brightness("gallery light") > 200)
            stage.window.actions.activate("theme", "system")
            stage.close()
        }
    }
#endif
