#if GTK
    import CGTK4
    import CalotypeGTK

    /// The panel at the side: facts about the file, and how it was loaded.
    @MainActor
    final class DetailsPanel {
        struct Section: Equatable {
            let title: String
            let lines: [ImageFacts.Line]
        }

        let widget: Widget
        private let list: Widget
        private(set) var sections: [Section] = []

        init() {
            widget = gtk_revealer_new()
            list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            let scroller: Widget = gtk_scrolled_window_new()
            gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
            gtk_scrolled_window_set_child(scroller.opaque, list)
            gtk_widget_set_size_request(scroller, 280, -1)
            gtk_widget_add_css_class(scroller, "calotype-details")
            gtk_revealer_set_transition_type(widget.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_LEFT)
            gtk_revealer_set_child(widget.opaque, scroller)
            calotype_set_accessible_label(scroller, ViewerTexts.details)
        }

        var isShown: Bool {
            get { gtk_revealer_get_reveal_child(widget.opaque) != 0 }
            set { gtk_revealer_set_reveal_child(widget.opaque, newValue ? 1 : 0) }
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
            // Without it a long address decides how wide the panel is.
            gtk_label_set_max_width_chars(label.opaque, 24)
            gtk_widget_add_css_class(label, style)
            gtk_box_append(list.box, label)
        }

        /// The text of a line.
        func text(_ title: String) -> String? {
            sections.flatMap(\.lines).first { $0.title == title }?.text
        }
    }
#endif
