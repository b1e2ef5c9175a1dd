#if GTK
    import CAdwaita

    /// The style of the gallery on top of libadwaita's and CalotypeGTK's.
    @MainActor
    enum GalleryStyle {
        private static var isLoaded = false

        private static let css = """
            .gallery-offline { padding: 6px 12px; background-color: alpha(@warning_bg_color, 0.25); }
            .gallery-details { font-family: monospace; font-size: smaller; }
            """

        static func load() {
            guard !isLoaded, let display = gdk_display_get_default() else { return }
            isLoaded = true
            let provider = gtk_css_provider_new()
            gtk_css_provider_load_from_data(provider, css, -1)
            gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), 600)
            g_object_unref(provider)
        }
    }
#endif
