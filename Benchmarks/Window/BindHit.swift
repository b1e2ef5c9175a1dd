#if GTK
    import CGTK4
    import Calotype
    import CalotypeCodecs
    import CalotypeGTK
    import CalotypeUI
    import Foundation

    /// Measures the main thread's processor time for binding a cell to an image in memory. The baseline is the time to
    /// set a ready texture on a plain widget, plus 2 µs.
    @MainActor
    struct BindHit {
        private static let cellCount = 100
        private static let bindCount = 10_000

        private let cells: [RemotePicture]
        private let plain: [Widget]
        private let requests: [ImageRequest]
        private let ready: [ObjectReference]
        private let window: OpaquePointer

        init() async throws {
            let loader = ImageLoader(.fake(InstantTransport()))
            var requests: [ImageRequest] = []
            var ready: [ObjectReference] = []
            for name in MemoryReads.names {
                guard let url = URL(string: name) else { continue }
                let request = ImageRequest(url, size: ResizeTarget(width: 1))
                requests.append(request)
                if let paintable = try await loader.fetch(request).paintable { ready.append(paintable) }
            }
            self.requests = requests
            self.ready = ready
            let style = PictureStyle(fit: .cover, showsProgress: false)
            let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
            let parent = UnsafeMutableRawPointer(box)?.assumingMemoryBound(to: GtkBox.self)
            cells = (0..<BindHit.cellCount).map { _ in
                let cell = RemotePicture(RemoteImageOptions(loader: loader), style: style)
                gtk_box_append(parent, cell.widget)
                return cell
            }
            plain = (0..<BindHit.cellCount).compactMap { _ in
                let picture = gtk_picture_new()
                gtk_box_append(parent, picture)
                return picture
            }
            let window = gtk_window_new()
            self.window = OpaquePointer(window!)  // GTK returns a window, or ends the process.
            let asWindow = UnsafeMutableRawPointer(window)?.assumingMemoryBound(to: GtkWindow.self)
            gtk_window_set_default_size(asWindow, 800, 100)
            gtk_window_set_child(asWindow, box)
            gtk_window_present(asWindow)
        }

        func measure(pairs: Int, _ say: (String) -> Void) async throws {
            for pair in -1..<pairs {
                let plain = processorSeconds { bindPlain() } * 1e6 / Double(BindHit.bindCount)
                let ours = processorSeconds { bindOurs() } * 1e6 / Double(BindHit.bindCount)
                guard cells.allSatisfy({ $0.state.image?.wasCached == true }) else {
                    throw BenchError("a cell was bound to no picture")
                }
                if pair >= 0 { say("\(ours) \(plain + 2)") }
                // Let work that `show` has deferred on the main actor run before the next pair.
                await Task.yield()
            }
        }

        private func bindOurs() {
            for index in 0..<BindHit.bindCount {
                cells[index % cells.count].show(requests[index % requests.count])
            }
        }

        private func bindPlain() {
            for index in 0..<BindHit.bindCount {
                gtk_picture_set_paintable(plain[index % plain.count].opaque, ready[index % ready.count].opaque)
            }
        }
    }
#endif
