#if GTK
    import CGTK4

    /// The style sheet of this library's widgets, with a lower priority than the application's.
    @MainActor
    package enum StyleSheet {
        private static var isLoaded = false

        private static let css = """
            .calotype-canvas > .calotype-selected { outline: 3px solid alpha(@theme_selected_bg_color, 0.5); outline-offset: 1px; }
            .calotype-canvas:focus-visible > .calotype-selected { outline-color: @theme_selected_bg_color; }
            .calotype-section { font-weight: bold; font-size: 1.1em; padding: 6px 2px 0 2px; }
            .calotype-caption { color: white; padding: 18px 10px 7px 10px; font-size: smaller; text-shadow: 0 1px 2px alpha(black, 0.6); background-image: linear-gradient(to top, alpha(black, 0.65), alpha(black, 0)); }
            @keyframes calotype-shimmer { from { background-position: 100% 0; } to { background-position: -100% 0; } }
            .calotype-shimmer.calotype-loading { background-image: linear-gradient(to right, transparent 30%, alpha(currentColor, 0.07) 50%, transparent 70%); background-size: 200% 100%; animation: calotype-shimmer 1.6s linear infinite; }
            .calotype-page { margin: 0; }
            @keyframes calotype-appear { from { opacity: 0; } to { opacity: 1; } }
            .calotype-appearing { animation: calotype-appear 200ms ease-in; }
            .calotype-error { padding: 6px; }
            .calotype-cell { background-color: alpha(currentColor, 0.06); }
            .calotype-cell.calotype-transparent { background-color: alpha(currentColor, 0.35); }
            """

        static func load() {
            guard !isLoaded else { return }
            isLoaded = true
            add(css, priority: 599)
        }

        /// Returns the CSS class for corners with this radius, in points.
        static func rounded(_ radius: Int) -> String {
            let name = "calotype-rounded-\(radius)"
            if radii.insert(radius).inserted {
                add(
                    ".\(name) { border-radius: \(radius)px; } .calotype-caption.\(name) { border-radius: 0 0 \(radius)px \(radius)px; }",
                    priority: 599)
            }
            return name
        }

        private static var radii: Set<Int> = []

        /// - Parameter priority: Of two rules, the one with the higher priority applies. The theme has 200, the
        ///   application 600.
        package static func add(_ css: String, priority: guint) {
            guard let display = gdk_display_get_default() else { return }
            let provider = gtk_css_provider_new()
            gtk_css_provider_load_from_data(provider, css, -1)
            gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), priority)
            g_object_unref(provider)
        }
    }
#endif
