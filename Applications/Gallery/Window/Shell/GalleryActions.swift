#if GTK
    import CAdwaita
    import CalotypeGTK

    /// The actions of a window, to which the menu, the keyboard and buttons refer by name.
    @MainActor
    struct GalleryActions {
        let window: Widget

        /// Adds the action `win.NAME`.
        func add(_ name: String, _ body: @escaping @MainActor () -> Void) {
            put(g_simple_action_new(name, nil)) { _ in body() }
        }

        /// Adds the action `win.NAME` with a text as its parameter.
        ///
        /// - Parameter choice: The current value, which a menu marks among the values that it offers. If `nil` (the
        ///   default), the action has no current value.
        func addTaking(_ name: String, choice: String? = nil, _ body: @escaping @MainActor (String) -> Void) {
            let type = g_variant_type_new("s")
            defer { g_variant_type_free(type) }
            let action =
                if let choice {
                    g_simple_action_new_stateful(name, type, g_variant_new_string(choice))
                } else {
                    g_simple_action_new(name, type)
                }
            put(action) { if let text = $0 { body(text) } }
        }

        func setChoice(_ name: String, _ value: String) {
            guard let action = g_action_map_lookup_action(window.opaque, name) else { return }
            g_simple_action_set_state(action, g_variant_new_string(value))
        }

        func setEnabled(_ name: String, _ isEnabled: Bool) {
            guard let action = g_action_map_lookup_action(window.opaque, name) else { return }
            g_simple_action_set_enabled(action, isEnabled ? 1 : 0)
        }

        private func put(_ action: OpaquePointer?, _ body: @escaping @MainActor (_ parameter: String?) -> Void) {
            guard let action else { return }
            Signal.connectAction(action, handler: body)
            g_action_map_add_action(window.opaque, action)
            g_object_unref(action.raw)
        }

        static func setShortcuts(_ application: UnsafeMutablePointer<GtkApplication>) {
            for shortcut in GalleryShortcuts.groups.flatMap({ $0.shortcuts }) {
                guard let action = shortcut.action else { continue }
                let keys = shortcut.keys.split(separator: " ").map(String.init)
                calotype_set_shortcut(application, action, keys[0], keys.dropFirst().first)
            }
            // On many keyboards, "+" is Shift with the "=" key: the second shortcut works without Shift.
            calotype_set_shortcut(application, "win.larger", "<Control>plus", "<Control>equal")
        }
    }
#endif
