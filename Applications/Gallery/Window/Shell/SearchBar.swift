#if GTK
    import CAdwaita
    import CalotypeGTK

    /// The search bar below the header bar. Any letter typed in the grid opens it.
    @MainActor
    final class SearchBar {
        let widget: Widget = gtk_search_bar_new()
        private let entry: Widget = gtk_search_entry_new()

        init(
            _ button: Widget, onChange: @escaping @MainActor (String) -> Void, onClose: @escaping @MainActor () -> Void
        ) {
            gtk_widget_set_hexpand(entry, 1)
            let clamp = adw_clamp_new()
            adw_clamp_set_maximum_size(clamp?.opaque, 420)
            adw_clamp_set_child(clamp?.opaque, entry)
            gtk_search_bar_set_child(widget.opaque, clamp)
            gtk_search_bar_connect_entry(widget.opaque, entry.opaque)
            calotype_set_accessible_label(entry, GalleryTexts.searchHint)
            calotype_bind_search(button, widget)
            Signal.connect(widget.raw, "notify::search-mode-enabled") { [weak self] in
                if self?.isOpen == false { onClose() }
            }
            Signal.connect(entry.raw, "search-changed") { [weak self] in if let self { onChange(text) } }
        }

        /// Lets letters typed in `window` begin a search. If `window` is `nil`, only the search button does.
        func catchKeys(of window: Widget?) { gtk_search_bar_set_key_capture_widget(widget.opaque, window) }

        var isOpen: Bool {
            get { gtk_search_bar_get_search_mode(widget.opaque) != 0 }
            set {
                gtk_search_bar_set_search_mode(widget.opaque, newValue ? 1 : 0)
                if newValue { gtk_widget_grab_focus(entry) }
            }
        }

        var text: String {
            get { gtk_editable_get_text(entry.opaque).map { String(cString: $0) } ?? "" }
            set { gtk_editable_set_text(entry.opaque, newValue) }
        }
    }
#endif
