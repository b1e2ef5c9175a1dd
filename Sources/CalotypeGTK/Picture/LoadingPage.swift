#if GTK
    import CGTK4
    import Calotype

    /// The page during a load: a spinner, and a progress bar if the server states the length of the body.
    @MainActor
    struct LoadingPage {
        let widget: Widget
        private let spinner: Widget
        let bar: Widget

        /// - Parameter label: The label for assistive technologies.
        init(label: String) {
            widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8)
            spinner = gtk_spinner_new()
            bar = gtk_progress_bar_new()
            gtk_widget_set_size_request(spinner, 24, 24)
            gtk_widget_set_size_request(bar, 60, -1)
            gtk_widget_set_halign(spinner, GTK_ALIGN_CENTER)
            gtk_box_append(widget.box, spinner)
            gtk_box_append(widget.box, bar)
            calotype_set_accessible_label(widget, label)
        }

        func show(_ progress: LoadProgress?) {
            let fraction = progress.flatMap { progress in
                progress.expected.map { $0 > 0 ? Double(progress.received) / Double($0) : 1 }
            }
            gtk_widget_set_visible(bar, fraction == nil ? 0 : 1)
            gtk_progress_bar_set_fraction(bar.opaque, min(max(fraction ?? 0, 0), 1))
            gtk_spinner_start(spinner.opaque)
            gtk_widget_set_visible(widget, 1)
        }

        /// Hides the page and stops its spinner, which would otherwise redraw the window sixty times a second.
        func hide() {
            gtk_spinner_stop(spinner.opaque)
            gtk_widget_set_visible(widget, 0)
        }
    }
#endif
