#if GTK
    import CGTK4
    import CalotypeGTK

    /// A grid of three columns with a colored box in each cell, which loads nothing: the baseline of `Scroll`.
    @MainActor
    struct PlainGrid {
        let widget: Widget

        init(rows: Int) {
            PlainGrid.loadColors()
            let store = gtk_string_list_new(nil)
            for row in 0..<rows { gtk_string_list_append(store, "\(row)") }
            let factory = gtk_signal_list_item_factory_new()
            let view = gtk_grid_view_new(gtk_no_selection_new(store), factory)
            gtk_grid_view_set_min_columns(view?.opaque, 3)
            gtk_grid_view_set_max_columns(view?.opaque, 3)
            gtk_widget_add_css_class(view, "bench-grid")
            if let factory {
                Signal.connect(factory.raw, "setup") { (item: OpaquePointer) in
                    let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
                    gtk_widget_set_size_request(box, 60, 299)
                    gtk_list_item_set_child(item, box)
                }
                Signal.connect(factory.raw, "bind") { (item: OpaquePointer) in
                    let color = "bench-\(gtk_list_item_get_position(item) % 8)"
                    let box = gtk_list_item_get_child(item)
                    for other in 0..<8 { gtk_widget_remove_css_class(box, "bench-\(other)") }
                    gtk_widget_add_css_class(box, color)
                }
            }
            let scroller = gtk_scrolled_window_new()
            gtk_scrolled_window_set_policy(scroller?.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
            gtk_scrolled_window_set_child(scroller?.opaque, view)
            widget = scroller!  // GTK returns a widget, or ends the process.
        }

        private static func loadColors() {
            let colors = ["#a33", "#3a3", "#33a", "#aa3", "#a3a", "#3aa", "#777", "#a73"]
            let rules = colors.enumerated().map {
                "gridview > child > box.bench-\($0) { background: \($1); margin: 0; }"
            }
            let grid = "gridview.bench-grid { padding: 0; } gridview.bench-grid > child { padding: 0 1px 1px 0; }"
            let provider = gtk_css_provider_new()
            gtk_css_provider_load_from_data(provider, ([grid] + rules).joined(separator: "\n"), -1)
            gtk_style_context_add_provider_for_display(gdk_display_get_default(), OpaquePointer(provider), 700)
            g_object_unref(provider)
        }
    }
#endif
