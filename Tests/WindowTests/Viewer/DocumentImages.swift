#if GTK
    import CAdwaita
    import Calotype
    import CalotypeUI
    import Foundation
    import Testing

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    private let photographs = "/usr/share/backgrounds/mate/nature"

    /// Makes the documents' images if `CALOTYPE_SCREENSHOTS` names a folder: the gallery over real photographs.
    @MainActor
    @Suite(
        .timeLimit(.minutes(2)), .enabled(if: ProcessInfo.processInfo.environment["CALOTYPE_SCREENSHOTS"] != nil),
        .enabled(if: FileManager.default.fileExists(atPath: photographs)))
    struct DocumentImages {
        @Test(arguments: [360, 800, 1600], [GalleryTheme.light, .dark])
        func `the grid, the viewer and what lies over them, narrow and wide`(_ width: Int, _ theme: GalleryTheme)
            async throws
        {
            let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "images-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = GallerySettingsFile(directory: folder)
            var settings = GallerySettings()
            (settings.theme, settings.width, settings.height, settings.columns) = (theme, width, 640, 5)
            file.write(settings)
            let gallery = GalleryWindow(GalleryApplication.make(), GalleryModel(.ephemeral), settings: file)
            gallery.open(photographs)
            let window = TestWindow(following: gallery.widget)
            func isAtRest() -> Bool { gallery.model.loader.statistics.images == 0 }
            await window.frames {
                let tiles = gallery.gridPage?.grid.controller.visibleCells ?? []
                return !tiles.isEmpty && tiles.allSatisfy { $0.view.binder?.state.image != nil }
            }
            gallery.gridPage?.grid.selectedPosition = 1
            _ = await window.screenshot("grid \(width) \(theme.rawValue)")
            gallery.showViewer(at: 2)
            let viewer = try #require(gallery.viewer)
            await window.frames { viewer.shown?.facts.header != nil && isAtRest() }
            _ = await window.screenshot("viewer \(width) \(theme.rawValue)")
            viewer.perform(.details)
            await window.frames { viewer.details.text(ViewerTexts.format) != nil }
            _ = await window.screenshot("details \(width) \(theme.rawValue)")
            viewer.perform(.details)
            gallery.whatHappens.isShown = true
            gallery.whatHappens.refresh()
            _ = await window.screenshot("what happens \(width) \(theme.rawValue)")
            gtk_window_destroy(gallery.widget.cast())
        }

        @Test(arguments: [GalleryTheme.light, .dark])
        func `the viewer, its details and what happens`(_ theme: GalleryTheme) async throws {
            let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "images-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = GallerySettingsFile(directory: folder)
            var settings = GallerySettings()
            (settings.theme, settings.width, settings.height) = (theme, 1100, 720)
            file.write(settings)
            let gallery = GalleryWindow(GalleryApplication.make(), GalleryModel(.ephemeral), settings: file)
            gallery.open(photographs)
            let window = TestWindow(following: gallery.widget)
            await window.frames { gallery.model.phase == .images && gallery.model.loader.statistics.images == 0 }
            gallery.showViewer(at: 2)
            let viewer = try #require(gallery.viewer)
            await window.frames { viewer.shown?.facts.header != nil && gallery.model.loader.statistics.images == 0 }
            _ = await window.screenshot("viewer-\(theme.rawValue)")
            viewer.perform(.details)
            await window.frames { viewer.details.text(ViewerTexts.format) != nil }
            _ = await window.screenshot("details-\(theme.rawValue)")
            viewer.perform(.details)
            viewer.change { $0.zoom(to: 1) }
            await window.frames { viewer.stage.picture.state.image.map { $0.bitmap.width > 1100 } ?? false }
            _ = await window.screenshot("zoomed-\(theme.rawValue)")
            viewer.perform(.next)
            viewer.perform(.next)
            gallery.whatHappens.isShown = true
            await window.frames { viewer.shown?.facts.header != nil && gallery.model.loader.statistics.images == 0 }
            gallery.whatHappens.refresh()
            _ = await window.screenshot("what-happens-\(theme.rawValue)")
            viewer.perform(.close)
            _ = await window.screenshot("what-happens-grid-\(theme.rawValue)")
            gtk_window_destroy(gallery.widget.cast())
        }
    }
#endif
