#if GTK
    import CAdwaita
    import Calotype
    import CalotypeGTK
    import CalotypeTesting
    import Foundation
    import Testing

    @testable import CalotypeGallery

    /// The viewer and the panel in the gallery's own window.
    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct GalleryViewerTests {
        private static let application = GalleryApplication.make()
        private let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(
            path: "gallery-\(UUID().uuidString)")
        private let gallery: GalleryWindow
        private let window: TestWindow

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for row in 0..<4 {
                try ViewerRoom.png(Palette.color(row)).write(to: folder.appending(path: "photo-\(row).png"))
            }
            let file = GallerySettingsFile(directory: folder.appending(path: "settings"))
            gallery = GalleryWindow(GalleryViewerTests.application, GalleryModel(.ephemeral), settings: file)
            window = TestWindow(following: gallery.widget)
        }

        private func open() async {
            gallery.open(folder.path)
            await window.frames { gallery.model.phase == .images && gallery.tileRequest(at: 0) != nil }
        }

        private func leave() {
            gtk_window_destroy(gallery.widget.window)
            try? FileManager.default.removeItem(at: folder)
        }

        @Test func `Escape goes back to the grid, with the tile of the last image selected and focused`() async throws {
            await open()
            gallery.showViewer(at: 0)
            let viewer = try #require(gallery.viewer)
            await window.frames { viewer.shown?.origin != nil }
            viewer.perform(.next)
            await window.frames { viewer.stage.picture.state.image != nil }
            viewer.perform(.close)
            #expect(gallery.viewer == nil)
            #expect(gallery.gridPage?.grid.selectedPosition == 1)
            let focus = try #require(gtk_window_get_focus(gallery.widget.window))
            let grid = try #require(gallery.gridPage?.widget)
            #expect(focus == grid || gtk_widget_is_ancestor(focus, grid) != 0)
            leave()
        }

        @Test func `a file of this machine says so, and needs no server for its details`() async throws {
            await open()
            gallery.showViewer(at: 2)
            let viewer = try #require(gallery.viewer)
            await window.frames { viewer.ownSize != nil && viewer.shown?.origin != nil }
            viewer.perform(.details)
            #expect(viewer.details.text(ViewerTexts.name) == "photo-2")
            #expect(viewer.details.text(ViewerTexts.size) == "1200 × 900 (1.1 MP)")
            #expect(viewer.details.text(ViewerTexts.address) == folder.appending(path: "photo-2.png").path)
            leave()
        }

        @Test func `F12 shows what happens, over the grid and over the viewer, and hides it again`() async throws {
            await open()
            gallery.actions.activate("what-happens")
            #expect(gallery.whatHappens.isShown)
            gallery.showViewer(at: 0)
            #expect(gallery.whatHappens.isShown)
            await window.nextFrame()
            #expect(gtk_widget_get_mapped(gallery.whatHappens.widget) != 0)
            gallery.actions.activate("what-happens")
            #expect(!gallery.whatHappens.isShown)
            leave()
        }

        @Test func `the window has the name of the image that is seen, and that of the place without one`() async throws
        {
            func title() -> String { String(cString: gtk_window_get_title(gallery.widget.window)) }
            await open()
            #expect(title() == folder.lastPathComponent)
            gallery.showViewer(at: 1)
            #expect(title() == "photo-1")
            let viewer = try #require(gallery.viewer)
            viewer.perform(.next)
            #expect(title() == "photo-2")
            gallery.model.search = "photo-2"
            #expect(title() == "photo-2")
            gallery.closeViewer()
            #expect(title() == folder.lastPathComponent)
            gallery.open("ftp://example.org/")
            #expect(title() == GalleryTexts.applicationName)
            leave()
        }

        @Test(arguments: [(1100, 760), (800, 480), (360, 640)])
        func `what happens covers no arrow of the viewer`(_ width: Int, _ height: Int) async throws {
            // Without a compositor the window has a border of 5 points.
            window.resize(width: width + 10, height: height + 10)
            await open()
            gallery.showViewer(at: 1)
            let viewer = try #require(gallery.viewer)
            await window.frames { viewer.shown?.origin != nil && gtk_widget_get_width(gallery.widget) <= width + 10 }
            gallery.actions.activate("what-happens")
            for _ in 0..<2 { await window.nextFrame() }
            _ = await window.screenshot("what happens beside the arrow \(width) \(height)")
            let panel = frame(gallery.whatHappens.widget)
            for arrow in [viewer.controls.previous, viewer.controls.next] {
                #expect(gtk_widget_get_mapped(arrow) != 0)
                #expect(!panel.intersects(frame(arrow)), "\(panel) \(frame(arrow))")
            }
            gallery.actions.activate("what-happens")
            await window.nextFrame()
            let stage = frame(viewer.stage.widget)
            #expect(abs(frame(viewer.controls.previous).midY - stage.midY) <= 1, "without the panel, in the middle")
            leave()
        }

        /// Returns the frame of a widget in the window.
        private func frame(_ widget: Widget) -> CGRect {
            var (x, y) = (0.0, 0.0)
            gtk_widget_translate_coordinates(widget, gallery.widget, 0, 0, &x, &y)
            return CGRect(
                x: x, y: y, width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget)))
        }

        @Test func `the keys that change the columns zoom while an image is shown`() async throws {
            await open()
            let columns = gallery.settings.columns
            gallery.showViewer(at: 0)
            let viewer = try #require(gallery.viewer)
            await window.frames { viewer.shown?.origin != nil }
            gallery.actions.activate("larger")
            #expect(gallery.settings.columns == columns)
            viewer.perform(try #require(Viewer.command(UInt32(GDK_KEY_plus), GDK_CONTROL_MASK)))
            #expect(!viewer.zoom.isFitted)
            viewer.perform(try #require(Viewer.command(UInt32(GDK_KEY_minus), GDK_CONTROL_MASK)))
            #expect(viewer.zoom.isFitted)
            leave()
        }
    }
#endif
