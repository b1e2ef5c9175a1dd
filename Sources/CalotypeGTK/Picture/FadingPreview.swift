#if GTK
    import CGTK4

    /// The preview behind an image that fades in over it. The widget is created when the first preview is shown.
    @MainActor
    final class FadingPreview {
        private(set) var widget: Widget?
        private var fading: Task<Void, Never>?

        /// - Parameters:
        ///   - preview: The preview to show until the fade has ended, or `nil` to show nothing.
        ///   - make: Creates the widget. Called for the first preview only.
        func show(_ preview: OpaquePointer?, make: () -> Widget) {
            fading?.cancel()
            fading = nil
            guard preview != nil || widget != nil else { return }
            let widget = widget ?? make()
            self.widget = widget
            gtk_picture_set_paintable(widget.opaque, preview)
            guard preview != nil else { return }
            fading = Task { [weak self] in
                try? await Task.sleep(for: .milliseconds(250))
                if !Task.isCancelled { self?.hide() }
            }
        }

        private func hide() {
            fading = nil
            if let widget { gtk_picture_set_paintable(widget.opaque, nil) }
        }
    }
#endif
