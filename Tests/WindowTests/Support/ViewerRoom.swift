#if GTK
    import CAdwaita
    import Calotype
    import CalotypeGTK
    import CalotypeStore
    import CalotypeTesting
    import Foundation

    @testable import CalotypeGallery

    /// A viewer in a window, over the photos of an origin whose large images arrive when the test releases them.
    ///
    /// A tile and its large image have different colors, which reveal the visible one.
    @MainActor
    final class ViewerRoom: ViewerHost {
        nonisolated static let size = (width: 1200, height: 900)

        let origin: OriginServer
        let model: GalleryModel
        let gates = Gates()
        let layers: Widget = gtk_overlay_new()
        let window: TestWindow
        private(set) var viewer: Viewer?
        private(set) var moves: [Int] = []
        private(set) var toasts: [String] = []
        private(set) var closings = 0
        var frames: [Int: CGRect] = [:]
        private let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "viewer-\(UUID().uuidString)")

        /// - Parameters:
        ///   - isOpen: Whether large images arrive at once.
        ///   - keepsFiles: Whether there is a disk store.
        ///   - large: Returns the reply with the large image of a row.
        init(
            photos: Int = 5, isOpen: Bool = true, keepsFiles: Bool = true, width: Int = 600, height: Int = 446,
            large: (@Sendable (Int) -> OriginReply)? = nil
        ) async throws {
            adw_init()
            if isOpen { gates.openAll() }
            origin = try OriginServer()
            var options = ImageLoaderOptions.ephemeral
            options.retry = .never
            options.respondsToMemoryPressure = false
            if keepsFiles { options.disk = .store(DiskStore(directory: folder.path)) }
            model = GalleryModel(options)
            window = TestWindow(width: width, height: height, layers)
            serve(photos, large ?? { .ok(ViewerRoom.png(ViewerRoom.color($0)), type: "image/png") })
            model.open([origin.url.absoluteString])
            await window.frames { self.model.phase == .images }
        }

        func leave() {
            closeViewer()
            window.close()
            try? FileManager.default.removeItem(at: folder)
        }

        nonisolated static func color(_ row: Int) -> UInt32 { Palette.color(row + 100) }
        nonisolated static func tileColor(_ row: Int) -> UInt32 { Palette.color(row) }

        nonisolated static func png(_ color: UInt32, width: Int = size.width, height: Int = size.height) -> Data {
            (try? Palette.png(color, width: width, height: height)) ?? Data()
        }

        private func serve(_ count: Int, _ large: @escaping @Sendable (Int) -> OriginReply) {
            let gates = gates
            func json(_ row: Int, _ kind: String) -> String {
                #"{"id": \#(row), "name": "Photo \#(row)", "image_url": "/\#(kind)/\#(row).png"}"#
            }
            let photos = (0..<count).map { json($0, "tile") }.joined(separator: ",")
            let page = #"{"current_page": 1, "total_pages": 1, "total_items": \#(count), "photos": [\#(photos)]}"#
            let details = (0..<count).map { json($0, "large") }
            origin.onAny { request in
                let parts = request.path.prefix { $0 != "?" }.split(separator: "/")
                if parts == ["photos"] { return .ok(Data(page.utf8), type: "application/json") }
                guard parts.count == 2, let row = Int(parts[1].prefix { $0 != "." }) else { return .status(404) }
                var reply: OriginReply
                switch parts[0] {
                case "photos": return .ok(Data(details[row].utf8), type: "application/json")
                case "tile":
                    reply = .ok(ViewerRoom.png(ViewerRoom.tileColor(row), width: 40, height: 30), type: "image/png")
                default: reply = large(row).held(by: gates[row])
                }
                if reply.status == 200 { reply.fields["Cache-Control"] = "max-age=600" }
                return reply
            }
        }

        // MARK: What the window does

        @discardableResult
        func open(
            _ index: Int, from frame: CGRect? = nil, clock: any Clock<Duration> = ContinuousClock()
        ) -> Viewer {
            let viewer = Viewer(host: self, at: index, from: frame, clock: clock)
            self.viewer = viewer
            gtk_overlay_add_overlay(layers.opaque, viewer.widget)
            gtk_widget_grab_focus(viewer.widget)
            return viewer
        }

        func tileFrame(at index: Int) -> CGRect? { frames[index] }

        func tileRequest(at index: Int) -> ImageRequest? {
            var request = model.items[index].tileRequest()
            request?.size = ResizeTarget(width: 40, height: 30)
            return request
        }

        func viewerMoved(to index: Int) { moves.append(index) }

        func viewerChangedWidth() {}

        func closeViewer() {
            guard let viewer else { return }
            self.viewer = nil
            closings += 1
            gtk_overlay_remove_overlay(layers.opaque, viewer.widget)
        }

        func showToast(_ text: String) { toasts.append(text) }

        // MARK: What a test waits for

        /// Waits until the large image is there, at any size.
        func frames(untilLarge viewer: Viewer) async {
            await window.frames { viewer.shown?.rendition != nil && viewer.stage.picture.state.image != nil }
        }

        /// Returns the color in the middle of the canvas, in the next frame.
        func color(_ viewer: Viewer, _ name: String = #function) async -> UInt32 {
            let shot = await window.screenshot(name)
            var (x, y) = (0.0, 0.0)
            let stage = viewer.stage.widget
            gtk_widget_translate_coordinates(
                stage, layers, Double(gtk_widget_get_width(stage)) / 2, Double(gtk_widget_get_height(stage)) / 2, &x, &y
            )
            return shot.color(Int(x), Int(y))
        }

        /// The numbers of large images requested from the origin.
        var asked: Set<Int> {
            Set(
                origin.requests.compactMap { request in
                    request.path.hasPrefix("/large/") ? Int(request.path.dropFirst(7).prefix { $0 != "." }) : nil
                })
        }
    }
#endif
