#if GTK
    import CAdwaita
    import CalotypeGTK

    /// The window that fills the screen, and returns to its former size.
    extension GalleryWindow {
        func addFullScreen() {
            actions.add("full-screen") { [weak self, widget] in
                if self?.isFullScreen == true {
                    gtk_window_unfullscreen(widget.window)
                } else {
                    gtk_window_fullscreen(widget.window)
                }
            }
            actions.add("leave-full-screen") { [widget] in gtk_window_unfullscreen(widget.window) }
            Signal.connect(widget.raw, "notify::fullscreened") { [weak self] in self?.fullScreenChanged() }
            fullScreenChanged()
        }

        var isFullScreen: Bool { gtk_window_is_fullscreen(widget.window) != 0 }

        /// Lets Escape leave full screen while the window fills the screen, and restores its usual meaning afterwards.
        private func fullScreenChanged() {
            actions.setEnabled("leave-full-screen", isFullScreen)
            viewer?.isFullScreen = isFullScreen
        }
    }
#endif
