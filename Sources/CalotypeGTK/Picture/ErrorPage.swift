#if GTK
    import CGTK4
    import Calotype

    /// What went wrong, and a button to try again.
    @MainActor
    struct ErrorPage {
        let widget: Widget
        private let label: Widget
        let button: Widget

        init(onRetry: @escaping @MainActor () -> Void) {
            widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8)
            label = gtk_label_new(nil)
            button = gtk_button_new_with_label("Retry")
            gtk_label_set_wrap(label.opaque, 1)
            gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
            gtk_label_set_max_width_chars(label.opaque, 32)
            gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
            let box = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkBox.self)
            gtk_box_append(box, label)
            gtk_box_append(box, button)
            Signal.connect(button.raw, "clicked", handler: onRetry)
        }

        /// - Parameter hasRoom: whether the words fit; where they do not, they are the button's tooltip.
        func show(_ error: ImageError, hasRoom: Bool) {
            gtk_label_set_text(label.opaque, message(error))
            gtk_widget_set_visible(label, hasRoom ? 1 : 0)
            gtk_widget_set_tooltip_text(button, hasRoom ? nil : message(error))
            gtk_widget_set_visible(widget, 1)
        }

        func hide() { gtk_widget_set_visible(widget, 0) }

        var text: String { String(cString: gtk_label_get_text(label.opaque)) }

        private func message(_ error: ImageError) -> String {
            let words = error.message
            return words.prefix(1).uppercased() + words.dropFirst() + "."
        }
    }
#endif
