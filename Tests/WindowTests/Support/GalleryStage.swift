#if GTK
    import CAdwaita
    import Calotype
    import CalotypeTesting
    import Foundation

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    /// The gallery's window with a folder of images, an origin with an API, and folders for its cache and settings.
    @MainActor
    final class GalleryStage {
        private static let application = GalleryApplication.make()

        let directory = FileManager.default.temporaryDirectory.appending(path: "calotype-gallery-\(UUID())")
        let origin: OriginServer
        let window: GalleryWindow
        let frames: TestWindow
        private(set) var isClosed = false

        init(
            settings: GallerySettings? = nil, in other: GalleryStage? = nil,
            edit: (inout ImageLoaderOptions) -> Void = { _ in }
        ) throws {
            origin = try other?.origin ?? OriginServer()
            let directory = other?.directory ?? directory
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            var options = ImageLoaderOptions()
            options.disk = .directory(directory.appending(path: "cache").path)
            options.retry = .never
            options.respondsToMemoryPressure = false
            edit(&options)
            let file = GallerySettingsFile(directory: directory.appending(path: "settings"))
            if let settings { file.write(settings) }
            window = GalleryWindow(GalleryStage.application, GalleryModel(options), settings: file)
            frames = TestWindow(following: window.widget)
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        var model: GalleryModel { window.model }
        var grid: RemoteImageGrid<GalleryItem>? { window.gridPage?.grid }

        func close() { gtk_window_close(window.widget.window) }

        /// Writes images in one color each.
        ///
        /// - Returns: The path of the folder.
        func folder(
            _ files: [String], named name: String = "Holidays", side: Int = 8,
            color: (Int) -> UInt32 = Palette.color
        ) throws -> String {
            let folder = directory.appending(path: name)
            for (index, file) in files.enumerated() {
                let url = folder.appending(path: file)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Palette.square(color(index), side).write(to: url)
            }
            return folder.path
        }

        /// Opens a folder with this many images, and waits for the visible ones.
        func openFolder(of count: Int) async throws {
            window.open(try folder((0..<count).map { "image-\(1000 + $0).png" }))
            await showsImages()
        }

        /// Answers as an API with this many photos, 30 per page.
        ///
        /// - Parameters:
        ///   - gates: The gates at which each row's image waits, if there are any.
        ///   - pages: The gate at which the pages after the first wait. The default is open.
        func serve(
            _ count: Int, side: Int = 8, name: @escaping @Sendable (Int) -> String = { "Photo \($0)" },
            color: @escaping @Sendable (Int) -> UInt32 = { Palette.color($0) }, gates: Gates? = nil,
            pages: Gate = Gate(isOpen: true)
        ) {
            let origin = origin
            origin.onAny { request in
                let parts = request.path.split(separator: "/")
                if parts.first == "images", let row = parts.last.flatMap({ Int($0) }) {
                    guard let png = try? Palette.square(color(row), side) else { return .status(500) }
                    let reply = OriginReply.ok(png, type: "image/png")
                    return gates.map { reply.held(by: $0[row]) } ?? reply
                }
                let query = URLComponents(string: request.target)?.queryItems ?? []
                let page = query.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
                let photos = ((page - 1) * 30..<max(min(page * 30, count), (page - 1) * 30)).map {
                    #"{"id": \#($0), "name": "\#(name($0))", "image_url": "/images/\#($0)"}"#
                }
                let text = """
                    {"current_page": \(page), "total_pages": \((count + 29) / 30), "total_items": \(count),
                    "photos": [\(photos.joined(separator: ","))]}
                    """
                let reply = OriginReply.ok(Data(text.utf8), type: "application/json")
                return page == 1 ? reply : reply.held(by: pages)
            }
        }

        /// Waits until every visible tile has its image.
        func showsImages() async {
            await frames.frames { [self] in
                guard model.phase == .images, let seen = grid?.controller.visibleCells, !seen.isEmpty else {
                    return false
                }
                return seen.allSatisfy { $0.view.binder?.state.image != nil }
            }
        }

        /// Waits until a page with this title is in place of the grid.
        func showsPage(_ title: String) async { await frames.frames { [self] in window.statusPage?.title == title } }
    }
#endif
