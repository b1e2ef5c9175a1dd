#if GTK
    import CAdwaita
    import CalotypeGTK

    /// The actions of a window, to which the menu, the keyboard and buttons refer by name.
    @MainActor
    struct GalleryActions {
        private let window: Widget

        init(of window: Widget) {
            self.window = window
        }

        /// Adds the action `win.NAME`.
        func add(_ name: String, _ body: @escaping @MainActor () -> Void) {
            guard let action = g_simple_action_new(name, nil) else { return }
            Signal.connectAction(action) { _ in body() }
            put(action)
        }

        /// Adds the action `win.NAME` with a text as its parameter.
        func addTaking(_ name: String, _ body: @escaping @MainActor (String) -> Void) {
            let type = g_variant_type_new("s")
            defer { g_variant_type_free(type) }
            guard let action = g_simple_action_new(name, type) else { return }
            Signal.connectAction(action) { if let text = $0 { body(text) } }
            put(action)
        }

        /// Adds the action `win.NAME` with one of several values, of which a menu marks the current one.
        func addChoice(_ name: String, _ value: String, _ body: @escaping @MainActor (String) -> Void) {
            let type = g_variant_type_new("s")
            defer { g_variant_type_free(type) }
            guard let action = g_simple_action_new_stateful(name, type, g_variant_new_string(value)) else { return }
            Signal.connectAction(action) { if let text = $0 { body(text) } }
            put(action)
        }

        /// Sets the current value of a choice.
        func setChoice(_ name: String, _ value: String) {
            guard let action = g_action_map_lookup_action(window.opaque, name) else { return }
            g_simple_action_set_state(action, g_variant_new_string(value))
        }

        func setEnabled(_ name: String, _ isEnabled: Bool) {
            guard let action = g_action_map_lookup_action(window.opaque, name) else { return }
            g_simple_action_set_enabled(action, isEnabled ? 1 : 0)
        }

        /// Activates an action as its menu item does. For tests.
        func activate(_ name: String, _ value: String? = nil) {
            g_action_group_activate_action(window.opaque, name, value.map { g_variant_new_string($0) })
        }

        private func put(_ action: OpaquePointer) {
            g_action_map_add_action(window.opaque, action)
            g_object_unref(action.raw)
        }

        static func setShortcuts(_ application: UnsafeMutablePointer<GtkApplication>) {
            for shortcut in GalleryShortcuts.groups.flatMap({ $0.shortcuts }) {
                guard let action = shortcut.action else { continue }
                let keys = shortcut.keys.split(separator: " ").map(String.init)
                calotype_set_shortcut(application, action, keys[0], keys.dropFirst().first)
            }
            // The key with a plus on many keyboards, without Shift.
            calotype_set_shortcut(application, "win.larger", "<Control>plus", "<Control>equal")
            calotype_set_shortcut(application, "win.leave-full-screen", "Escape", nil)
        }
    }
#endif
