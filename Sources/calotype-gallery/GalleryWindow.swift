#if GTK
    import CGTK4
    import Calotype
    import CalotypeCodecs
    import CalotypeDemo
    import CalotypeGTK
    import CalotypeUI
    import Foundation

    /// The window: a text field for the place, the grid, one photo at a time, and a line of counts.
    @MainActor
    final class GalleryWindow {
        private let window: Widget
        private let pages = gtk_stack_new()
        private let entry = gtk_entry_new()
        private let back = gtk_button_new_with_label("Back")
        private let status = gtk_label_new(nil)
        private let message = gtk_label_new(nil)
        private var counts = LoadCounts()
        /// The problem with the latest page, while others are visible.
        private var problem: String?
        private var options = RemoteImageOptions()

        private var place: PhotoPlace?
        private var feed: PhotoFeed?
        private var grid: RemoteImageGrid<PhotoItem>?
        private var detail: RemotePicture?
        private var detailTask: Task<Void, Never>?
        private var opening: Task<Void, Never>?

        /// Opens the window, which lives until it is closed; then the application ends.
        static func open(_ place: String) {
            let gallery = GalleryWindow()
            gallery.show(place)
            // The closure keeps the gallery as long as the window is there.
            Signal.connect(gallery.window.raw, "destroy") { gallery.closed() }
        }

        private init() {
            window = gtk_window_new()
            options.observer = { [weak self] in self?.count($0) }
            gtk_window_set_title(window.window, "Calotype")
            gtk_window_set_default_size(window.window, 900, 800)
            let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            gtk_box_append(box?.box, bar())
            gtk_widget_set_vexpand(pages, 1)
            gtk_box_append(box?.box, pages)
            gtk_widget_set_margin_top(status, 4)
            gtk_widget_set_margin_bottom(status, 4)
            gtk_box_append(box?.box, status)
            gtk_label_set_wrap(message?.opaque, 1)
            gtk_stack_add_named(pages?.opaque, message, "message")
            gtk_window_set_child(window.window, box)
            leaveByEscape()
            gtk_window_present(window.window)
        }

        private func bar() -> Widget? {
            let bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)
            for side in [gtk_widget_set_margin_top, gtk_widget_set_margin_bottom] { side(bar, 6) }
            for side in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { side(bar, 6) }
            gtk_widget_set_hexpand(entry, 1)
            gtk_entry_set_placeholder_text(
                entry.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkEntry.self) },
                "Address of an API, or a folder")
            gtk_box_append(bar?.box, back)
            gtk_box_append(bar?.box, entry)
            if let entry {
                Signal.connect(entry.raw, "activate") { [weak self] in
                    guard let self, let text = gtk_editable_get_text(entry.opaque) else { return }
                    self.show(String(cString: text))
                }
            }
            if let back { Signal.connect(back.raw, "clicked") { [weak self] in self?.showGrid() } }
            return bar
        }

        private func leaveByEscape() {
            let controller = gtk_event_controller_key_new()
            guard let controller else { return }
            gtk_widget_add_controller(window, controller)
            Signal.connectKeyPress(controller.raw) { [weak self] key in
                guard key == UInt32(GDK_KEY_Escape), let self, self.detail != nil else { return false }
                self.showGrid()
                return true
            }
        }

        private func closed() {
            opening?.cancel()
            detailTask?.cancel()
            grid = nil
            detail = nil
            MainLoop.quit()
        }
    }

    // MARK: The grid

    extension GalleryWindow {
        /// Shows the photos of a place, or says why there are none.
        private func show(_ text: String) {
            showGrid()
            gtk_editable_set_text(entry?.opaque, text)
            if let old = grid?.widget { gtk_stack_remove(pages?.opaque, old) }
            (grid, feed, problem) = (nil, nil, nil)
            tell("")
            gtk_label_set_text(status?.opaque, "loading...")
            opening?.cancel()
            opening = Task { [weak self] in await self?.open(text) }
        }

        private func open(_ text: String) async {
            do throws(GalleryMessage) {
                let place = try await PhotoPlace(text)
                // Somebody has typed something else meanwhile.
                if Task.isCancelled { return }
                self.place = place
                show(PhotoFeed(place.api))
            } catch {
                if Task.isCancelled { return }
                tell(error.text)
                updateStatus()
            }
        }

        private func show(_ feed: PhotoFeed) {
            self.feed = feed
            problem = nil
            let grid = RemoteImageGrid<PhotoItem>(options: options) { photo in
                photo.imageURL.map { ImageRequest($0, steps: [.round(radius: 10)]) }
            } label: {
                $0.name
            }
            self.grid = grid
            gtk_stack_add_named(pages?.opaque, grid.widget, nil)
            gtk_stack_set_visible_child(pages?.opaque, grid.widget)
            grid.onActivate = { [weak self] in self?.show($0) }
            grid.onNearEnd = { [weak self] in await self?.addPage(to: feed) }
            updateStatus()
        }

        private func addPage(to feed: PhotoFeed) async {
            gtk_label_set_text(status?.opaque, "loading...")
            defer { if feed === self.feed { updateStatus() } }
            do throws(PhotoAPIError) {
                let photos = try await feed.next()
                guard feed === self.feed, let grid else { return }
                problem = nil
                grid.append(photos)
                if grid.count == 0 { tell("There are no photos here.") }
            } catch {
                guard feed === self.feed else { return }
                // With something on the screen already, the status line is enough.
                if grid?.count == 0 { tell("\(error).") } else { problem = "\(error)" }
            }
        }

        private func showGrid() {
            detailTask?.cancel()
            gtk_widget_set_visible(back, 0)
            guard let detail else { return }
            self.detail = nil
            if let grid { gtk_stack_set_visible_child(pages?.opaque, grid.widget) }
            gtk_stack_remove(pages?.opaque, detail.widget)
        }

        private func tell(_ text: String) {
            gtk_label_set_text(message?.opaque, text.prefix(1).uppercased() + text.dropFirst())
            gtk_stack_set_visible_child_name(pages?.opaque, "message")
        }

        private func count(_ image: LoadedImage) {
            counts.count(image)
            updateStatus()
        }

        private func updateStatus() {
            gtk_label_set_text(status?.opaque, problem ?? counts.line)
        }
    }

    // MARK: One photo

    extension GalleryWindow {
        /// The small picture from the grid at once, and the large one when it is there.
        private func show(_ photo: PhotoItem) {
            guard let api = place?.api, detail == nil else { return }
            let picture = RemotePicture(options)
            detail = picture
            gtk_stack_add_named(pages?.opaque, picture.widget, nil)
            gtk_stack_set_visible_child(pages?.opaque, picture.widget)
            gtk_widget_set_visible(back, 1)
            gtk_widget_grab_focus(back)
            let small = grid?.shownRequest(for: photo.id)
            detailTask = Task { [weak self, weak picture] in
                // An API that knows no single photo has told of its picture already.
                let url = (try? await api.photo(photo.id))?.imageURL ?? photo.imageURL
                guard let picture, self?.detail === picture else { return }
                guard let url else { self?.tell("\(photo.name) has no picture."); return }
                picture.show(ImageRequest(url), preview: small, label: photo.name)
            }
            if let small { picture.show(small, label: photo.name) }
        }
    }

    extension UnsafeMutablePointer<GtkWidget> {
        fileprivate var window: UnsafeMutablePointer<GtkWindow> { cast() }
        fileprivate var box: UnsafeMutablePointer<GtkBox> { cast() }

        private func cast<Subclass>() -> UnsafeMutablePointer<Subclass> {
            UnsafeMutableRawPointer(self).assumingMemoryBound(to: Subclass.self)
        }
    }
#endif
