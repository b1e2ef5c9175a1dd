#if GTK
    import CAdwaita
    import CalotypeGTK

    /// The window of all keys, in rows that fit a narrow screen: GTK's own window of shortcuts is as wide as its widest
    /// row, and a screen cuts it off.
    @MainActor
    enum ShortcutsWindow {
        static func show(above window: Widget) {
            guard let builder = gtk_builder_new_from_string(description, -1) else { return }
            defer { g_object_unref(UnsafeMutableRawPointer(builder)) }
            guard let object = gtk_builder_get_object(builder, "shortcuts") else { return }
            let shortcuts = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWidget.self)
            let keys: OpaquePointer = gtk_event_controller_key_new()
            Signal.connectKeyPress(keys.raw) { key, _ in
                guard Int32(bitPattern: key) == GDK_KEY_Escape else { return false }
                gtk_window_close(shortcuts.window)
                return true
            }
            gtk_widget_add_controller(shortcuts, keys)
            gtk_window_set_transient_for(shortcuts.window, window.window)
            gtk_window_present(shortcuts.window)
        }

        /// A UI description, because newer versions of GTK discourage the functions that make a `GtkShortcutLabel`.
        private static var description: String {
            let page = object("AdwPreferencesPage", [("vexpand", "1")], GalleryShortcuts.groups.map(group))
            let content = object(
                "GtkBox", [("orientation", "vertical")],
                ["<child>\(object("AdwHeaderBar"))</child>", "<child>\(page)</child>"])
            let window = object(
                "AdwWindow", id: "shortcuts",
                [
                    ("title", GalleryTexts.shortcuts), ("modal", "1"), ("default-width", "480"),
                    ("default-height", "640"),
                ], ["<property name=\"content\">\(content)</property>"])
            return "<interface>\(window)</interface>"
        }

        private static func group(_ group: (title: String, shortcuts: [GalleryShortcuts.Shortcut])) -> String {
            "<child>\(object("AdwPreferencesGroup", [("title", group.title)], group.shortcuts.map(row)))</child>"
        }

        private static func row(_ shortcut: GalleryShortcuts.Shortcut) -> String {
            let label = object("GtkShortcutLabel", [("accelerator", shortcut.keys), ("valign", "center")])
            let row = object(
                "AdwActionRow", [("title", shortcut.title)], ["<child type=\"suffix\">\(label)</child>"])
            return "<child>\(row)</child>"
        }

        private static func object(
            _ type: String, id: String? = nil, _ properties: [(String, String)] = [], _ contents: [String] = []
        ) -> String {
            let properties = properties.map { "<property name=\"\($0)\">\(StatusPage.escaped($1))</property>" }
            let name = id.map { " id=\"\($0)\"" } ?? ""
            return "<object class=\"\(type)\"\(name)>\((properties + contents).joined())</object>"
        }
    }
#endif
