#if GTK
    import CGTK4

    /// The look of this library's widgets, below the application's own.
    @MainActor
    enum StyleSheet {
        private static var isLoaded = false

        private static let css = """
            gridview.calotype-grid { padding: 0; }
            gridview.calotype-grid > child { padding: 0 1px 1px 0; border-radius: 0; }
            gridview.calotype-grid > child:focus-visible { outline: 3px solid @theme_selected_bg_color; outline-offset: -3px; }
            gridview.calotype-grid > child > .calotype-cell { margin: 0; }
            .calotype-page { margin: 0; }
            @keyframes calotype-appear { from { opacity: 0; } to { opacity: 1; } }
            .calotype-appearing { animation: calotype-appear 200ms ease-in; }
            .calotype-error { padding: 6px; }
            .calotype-cell { background-color: alpha(currentColor, 0.06); }
            """

        static func load() {
            guard !isLoaded, let display = gdk_display_get_default() else { return }
            isLoaded = true
            let provider = gtk_css_provider_new()
            gtk_css_provider_load_from_data(provider, css, -1)
            // Above the theme, which has 200, and below the application, which has 600.
            gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), 599)
            g_object_unref(provider)
        }
    }
#endif
