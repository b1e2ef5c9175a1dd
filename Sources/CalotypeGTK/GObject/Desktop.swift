#if GTK
    import CGTK4

    /// What the desktop's settings say.
    @MainActor
    package enum Desktop {
        /// Whether things may move. Where there is no display, they may.
        package static var allowsAnimations: Bool {
            guard let settings = gtk_settings_get_default() else { return true }
            var value = calotype_empty_value()
            g_value_init(&value, GType(5 << 2))  // G_TYPE_BOOLEAN, a macro that Swift does not see.
            defer { g_value_unset(&value) }
            g_object_get_property(
                UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self), "gtk-enable-animations",
                &value)
            return g_value_get_boolean(&value) != 0
        }
    }
#endif
