#if GTK
    import CalotypeGTK

    /// The CSS of the window, the viewer and the panel "What Happens", in addition to that of libadwaita and
    /// CalotypeGTK.
    @MainActor
    enum GalleryStyle {
        private static var isLoaded = false

        private static let css = """
            .gallery-offline { padding: 6px 12px; background-color: alpha(@warning_bg_color, 0.25); }
            .gallery-details { font-family: monospace; font-size: smaller; }
            .calotype-backdrop { background-color: @window_bg_color; }
            .calotype-full-screen > .calotype-backdrop { background-color: #000; }
            .calotype-full-screen .calotype-stage { color: #fff; }
            .calotype-viewer:focus { outline: none; }
            .calotype-viewer .calotype-transparent {
                background-size: 24px 24px;
                background-image: conic-gradient(
                    alpha(currentColor, 0.2) 0%, alpha(currentColor, 0.2) 25%, alpha(currentColor, 0.4) 25%,
                    alpha(currentColor, 0.4) 50%, alpha(currentColor, 0.2) 50%, alpha(currentColor, 0.2) 75%,
                    alpha(currentColor, 0.4) 75%, alpha(currentColor, 0.4) 100%);
            }
            .calotype-hidden { opacity: 0; transition: opacity 200ms; }
            .calotype-neighbour { margin: 12px; min-width: 40px; min-height: 40px; }
            .calotype-scale { margin: 12px; border-radius: 999px; padding: 3px; }
            .calotype-scale button { border-radius: 999px; min-width: 34px; }
            .calotype-details { background-color: @view_bg_color; border-left: 1px solid @borders; }
            .calotype-details .heading { margin: 18px 18px 0 18px; }
            .calotype-detail-title { margin: 12px 18px 0 18px; font-size: smaller; opacity: 0.6; }
            .calotype-detail-text { margin: 2px 18px 0 18px; }
            .calotype-what-happens {
                background-color: rgba(24, 24, 27, 0.88); color: #fff; border-radius: 14px; margin: 12px;
                padding: 12px 14px; font-size: 8.5pt; font-feature-settings: "tnum";
            }
            .calotype-what-happens.calotype-beside-arrow { margin-left: 64px; }
            .calotype-what-happens .heading { font-size: 11pt; font-weight: bold; }
            .calotype-what-happens .dim { opacity: 0.66; }
            .calotype-what-happens .count { font-size: 14pt; font-weight: bold; }
            """

        static func load() {
            guard !isLoaded else { return }
            isLoaded = true
            StyleSheet.add(css, priority: 600)
        }
    }
#endif
