#if GTK
    import CGTK4
    import Calotype
    import CalotypeGTK
    import CalotypeHTTP
    import CalotypeTesting
    import CalotypeUI
    import Foundation

    /// Measures a grid of 10,000 photographs with distinct URLs, styled as in the gallery application, while it scrolls
    /// from the top to the end in 25 steps, with a pause after each.
    @MainActor
    struct ScrollPhotos {
        private struct Row: Identifiable, Sendable {
            let id: Int
        }

        /// The figures over all steps.
        struct Result {
            /// The longest time in which the main thread did not poll for events, in seconds.
            var stall: Double
            /// The longest processor time of the main thread between two polls, in seconds.
            var work: Double
            /// The peak memory of the process, in MiB.
            var memory: Double
        }

        private static let rowCount = 10_000
        private static let flights = 25

        func measure() async throws -> Result {
            let grid = makeGrid()
            let window = gtk_window_new()
            let asWindow = UnsafeMutableRawPointer(window)?.assumingMemoryBound(to: GtkWindow.self)
            gtk_window_set_decorated(asWindow, 0)
            gtk_window_set_default_size(asWindow, 1280, 800)
            gtk_window_set_child(asWindow, grid.widget)
            gtk_window_present(asWindow)
            defer { gtk_window_destroy(asWindow) }
            await Frames.pass(10, in: grid.widget) { _ in }
            let adjustment = gtk_scrolled_window_get_vadjustment(grid.widget.opaque)
            let flight = gtk_adjustment_get_upper(adjustment) / Double(ScrollPhotos.flights)
            StallWatch.start()
            for number in 0..<ScrollPhotos.flights {
                await Frames.pass(30, in: grid.widget) { frame in
                    gtk_adjustment_set_value(adjustment, (Double(number) + Double(frame) / 30) * flight)
                }
                // Pause for half a second (30 frames), in which the visible cells load.
                await Frames.pass(30, in: grid.widget) { _ in gtk_widget_queue_draw(grid.widget) }
            }
            let stall = StallWatch.stop()
            let memory = Double(try residentKilobytes(peak: true)) / 1024
            return Result(stall: stall, work: StallWatch.longestWork, memory: memory)
        }

        private func makeGrid() -> RemoteImageGrid<Row> {
            var options = ImageLoaderOptions.ephemeral
            options.transport = PhotoTransport()
            options.respondsToMemoryPressure = false
            // The memory limit of the gallery application.
            options.memory.costLimit = 160 << 20
            var style = GridStyle()
            (style.spacing, style.margin, style.cornerRadius) = (12, 12, 10)
            style.loading = .shimmer
            let grid = RemoteImageGrid<Row>(
                columns: 4, style: style, options: RemoteImageOptions(loader: ImageLoader(options))
            ) {
                ImageRequest(source: .request(HTTPRequest(PhotoTransport.url($0.id))))
            }
            grid.append((0..<ScrollPhotos.rowCount).map { Row(id: $0) })
            return grid
        }
    }
#endif
