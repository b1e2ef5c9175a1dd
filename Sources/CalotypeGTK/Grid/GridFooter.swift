#if GTK
    import CGTK4

    /// A spinner and a text below the last row while the next page loads.
    @MainActor
    final class GridFooter {
        /// The height in points.
        static let height = 48

        let widget: Widget
        private let spinner: Widget
        let label: Widget

        init(_ text: String) {
            widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8)
            spinner = gtk_spinner_new()
            label = gtk_label_new(text)
            gtk_widget_set_hexpand(widget, 0)
            gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
            gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
            for part in [spinner, label] { gtk_box_append(widget.box, part) }
        }

        /// Whether the footer is visible. A hidden spinner must stop: it would redraw the window sixty times a second.
        var isShown: Bool {
            get { gtk_widget_get_visible(widget) != 0 }
            set {
                gtk_widget_set_visible(widget, newValue ? 1 : 0)
                if newValue { gtk_spinner_start(spinner.opaque) } else { gtk_spinner_stop(spinner.opaque) }
            }
        }
    }
#endif
