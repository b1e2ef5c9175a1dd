#if GTK
    import CGTK4

    /// What the desktop's settings say.
    @MainActor
    package enum Desktop {
        /// Whether things may move. Where there is no display, they may.
        package static var allowsAnimations: Bool { calotype_allows_animations() != 0 }
    }
#endif
