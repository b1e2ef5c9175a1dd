#if GTK
    import CAdwaita
    import CalotypeGTK

    @testable import CalotypeGallery

    // What a person sees and does.

    extension GalleryActions {
        /// Activates an action as its menu item does.
        func activate(_ name: String, _ value: String? = nil) {
            g_action_group_activate_action(window.opaque, name, value.map { g_variant_new_string($0) })
        }
    }
#endif
