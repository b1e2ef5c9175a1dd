#if GTK
    import CGTK4

    /// The desktop's settings.
    @MainActor
    package enum Desktop {
        /// Whether the user allows animations; `true` without a display.
        package static var allowsAnimations: Bool { calotype_allows_animations() != 0 }
    }
#endif
