#if GTK
    import CAdwaita
    import CalotypeGTK

    /// A line below the header bar about images that are missing or only cached, with a button to try again.
    @MainActor
    struct NoticeBar {
        let widget: Widget = gtk_revealer_new()
        private let label: Widget = gtk_label_new(nil)

        init(icon name: String) {
            guard let line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12) else { return }
            let icon = gtk_image_new_from_icon_name(name)
            let button = gtk_button_new_with_label(GalleryTexts.tryAgain)
            gtk_label_set_wrap(label.opaque, 1)
            gtk_label_set_xalign(label.opaque, 0)
            gtk_widget_set_hexpand(label, 1)
            gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
            gtk_actionable_set_action_name(button?.opaque, "win.reload")
            for part in [icon, label, button] { gtk_box_append(line.box, part) }
            gtk_widget_add_css_class(line, "gallery-offline")
            gtk_revealer_set_child(widget.opaque, line)
            // Hidden, not only folded: assistive technologies read folded widgets.
            gtk_widget_set_visible(widget, 0)
            let revealer = widget
            Signal.connect(revealer.raw, "notify::child-revealed") {
                let isNeeded = gtk_revealer_get_reveal_child(revealer.opaque)
                if gtk_revealer_get_child_revealed(revealer.opaque) == 0 { gtk_widget_set_visible(revealer, isNeeded) }
            }
        }

        var isShown: Bool { gtk_revealer_get_reveal_child(widget.opaque) != 0 }

        /// Shows a sentence; `nil` hides the bar.
        func show(_ text: String?) {
            if let text {
                gtk_label_set_text(label.opaque, text)
                gtk_widget_set_visible(widget, 1)
            }
            gtk_revealer_set_reveal_child(widget.opaque, text == nil ? 0 : 1)
        }

        /// The sentence that was shown last.
        var text: String { String(cString: gtk_label_get_text(label.opaque)) }
    }
#endif
