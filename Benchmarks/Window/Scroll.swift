#if GTK
    import CGTK4
    import Calotype
    import CalotypeCodecs
    import CalotypeGTK
    import CalotypeHTTP
    import CalotypeTesting
    import CalotypeUI
    import Foundation

    /// Measures the longest stall of a grid of 1,000 images that scrolls one row per frame, with pauses in which
    /// missing images load. The baseline is a grid of plain boxes.
    @MainActor
    struct Scroll {
        private struct Row: Identifiable, Sendable {
            let id: Int
        }

        private static let rowCount = 1000
        /// The number of different images. The images with even numbers are in memory from the start.
        private static let pictureCount = 120

        func measure(runs: Int, _ say: (String) -> Void) async throws {
            for run in -1..<runs {
                let plain = await longestStall(over: PlainGrid(rows: Scroll.rowCount).widget)
                let grid = try await pictures()
                let ours = await longestStall(over: grid.widget)
                // The baseline combines both conditions: at most 16 ms, and at most 8 ms more than the plain boxes.
                if run >= 0 { say("\(ours * 1000) \(min(plain * 1000 + 8, 16))") }
            }
        }

        private func pictures() async throws -> RemoteImageGrid<Row> {
            var options = ImageLoaderOptions.ephemeral
            options.transport = PhotoTransport()
            options.respondsToMemoryPressure = false
            let loader = ImageLoader(options)
            for index in stride(from: 0, to: Scroll.pictureCount, by: 2) {
                var request = Scroll.request(index)
                request.size = ResizeTarget(width: 299, height: 299, mode: .fill)
                _ = try await loader.fetch(request)
            }
            let grid = RemoteImageGrid<Row>(options: RemoteImageOptions(loader: loader)) { Scroll.request($0.id) }
            grid.append((0..<Scroll.rowCount).map { Row(id: $0) })
            return grid
        }

        private static func request(_ row: Int) -> ImageRequest {
            ImageRequest(source: .request(HTTPRequest(PhotoTransport.url(row % pictureCount))))
        }

        /// Scrolls the widget for 100 frames, three times, with a pause after each. Returns the longest stall, in
        /// seconds.
        private func longestStall(over widget: Widget) async -> Double {
            let window = gtk_window_new()
            let asWindow = UnsafeMutableRawPointer(window)?.assumingMemoryBound(to: GtkWindow.self)
            gtk_window_set_decorated(asWindow, 0)
            gtk_window_set_default_size(asWindow, 900, 800)
            gtk_window_set_child(asWindow, widget)
            gtk_window_present(asWindow)
            defer { gtk_window_destroy(asWindow) }
            await Frames.pass(10, in: widget) { _ in }
            let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
            StallWatch.start()
            for _ in 0..<3 {
                let start = gtk_adjustment_get_value(adjustment)
                await Frames.pass(100, in: widget) { frame in
                    gtk_adjustment_set_value(adjustment, start + Double(frame) * 300)
                }
                // Pause for half a second (30 frames), in which the visible cells load.
                await Frames.pass(30, in: widget) { _ in gtk_widget_queue_draw(widget) }
            }
            return StallWatch.stop()
        }
    }

    /// Serves photographs of 800 × 600 without delay, so that only their decoding takes time.
    struct PhotoTransport: Transport {
        private static let photos = (1...6).map { SamplePhotos.jpeg(width: 800, height: 600, seed: $0) }

        static func url(_ index: Int) -> URL {
            URL(string: "https://images.example.org/\(index)")!  // A valid URL followed by digits is valid.
        }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            let number = Int(request.url.lastPathComponent) ?? 0
            let photo = PhotoTransport.photos[number % PhotoTransport.photos.count]
            return HTTPResponse(url: request.url, status: 200, body: HTTPBody(photo))
        }
    }
#endif
