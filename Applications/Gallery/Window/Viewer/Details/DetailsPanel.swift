#if GTK
    import CAdwaita
    import CalotypeGTK

    /// The panel beside the image, or above it in a narrow window: facts about the file and its loading.
    @MainActor
    final class DetailsPanel {
        struct Section: Equatable {
            let title: String
            let lines: [ImageFacts.Line]
        }

        /// The widget that contains the image and the panel.
        let widget: Widget = adw_flap_new()
        let panel: Widget = gtk_scrolled_window_new()
        private let list: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        /// Called when the user has closed the panel by a click beside it.
        var onClose: (@MainActor () -> Void)?
        private(set) var sections: [Section] = []

        init() {
            gtk_scrolled_window_set_policy(panel.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
            gtk_scrolled_window_set_child(panel.opaque, list)
            gtk_widget_set_size_request(panel, 280, -1)
            gtk_widget_add_css_class(panel, "calotype-details")
            calotype_set_accessible_label(panel, ViewerTexts.details)
            adw_flap_set_flap(widget.opaque, panel)
            adw_flap_set_flap_position(widget.opaque, GTK_PACK_END)
            adw_flap_set_reveal_flap(widget.opaque, 0)
            gtk_widget_set_vexpand(widget, 1)
            // Do not open or close the panel when the window becomes narrow, or for a swipe, which changes the image.
            adw_flap_set_locked(widget.opaque, 1)
            adw_flap_set_swipe_to_open(widget.opaque, 0)
            adw_flap_set_swipe_to_close(widget.opaque, 0)
            Signal.connect(widget.raw, "notify::reveal-flap") { [weak self] in
                if let self, !isShown { onClose?() }
            }
        }

        func setImage(_ image: Widget) {
            // If less width than this is left for the image, the panel lies above the image.
            gtk_widget_set_size_request(image, 300, -1)
            adw_flap_set_content(widget.opaque, image)
        }

        /// Whether the panel lies above the image.
        var isAbove: Bool { isShown && adw_flap_get_folded(widget.opaque) != 0 }

        var isShown: Bool {
            get { adw_flap_get_reveal_flap(widget.opaque) != 0 }
            set { adw_flap_set_reveal_flap(widget.opaque, newValue ? 1 : 0) }
        }

        func show(_ sections: [Section]) {
            guard sections != self.sections else { return }
            self.sections = sections
            while let child = gtk_widget_get_first_child(list) { gtk_box_remove(list.box, child) }
            for section in sections where !section.lines.isEmpty {
                append(section.title, "heading")
                for line in section.lines {
                    append(line.title, "calotype-detail-title")
                    append(line.text, "calotype-detail-text")
                }
            }
        }

        private func append(_ text: String, _ style: String) {
            let label: Widget = gtk_label_new(text)
            gtk_label_set_xalign(label.opaque, 0)
            gtk_label_set_wrap(label.opaque, 1)
            gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
            // Without this limit, a long address would determine the panel's width.
            gtk_label_set_max_width_chars(label.opaque, 24)
            gtk_widget_add_css_class(label, style)
            gtk_box_append(list.box, label)
        }
    }
#endif
