#if GTK
    import CAdwaita
    import CalotypeGTK
    import Foundation
    import Testing

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    /// The window of shortcuts.
    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct ShortcutsTests {
        /// A key with Control or without.
        private struct Key: Hashable, CustomStringConvertible {
            let key: UInt32
            let isControlled: Bool

            var modifiers: GdkModifierType { isControlled ? GDK_CONTROL_MASK : GdkModifierType(rawValue: 0) }
            var description: String { gtk_accelerator_name(key, modifiers).map { String(cString: $0) } ?? "\(key)" }

            /// Whether the key is one of the numeric keypad, or another position of a key that is listed.
            var isTwin: Bool {
                [GDK_KEY_equal, GDK_KEY_ISO_Enter].contains(Int32(bitPattern: key)) || description.contains("KP_")
            }
        }

        private func listed(_ title: String) throws -> Set<Key> {
            let group = try #require(GalleryShortcuts.groups.first { $0.title == title })
            return Set(
                group.shortcuts.flatMap { $0.keys.split(separator: " ") }.map {
                    var (key, modifiers) = (guint(0), GdkModifierType(rawValue: 0))
                    #expect(gtk_accelerator_parse(String($0), &key, &modifiers) != 0, "\($0)")
                    return Key(key: key, isControlled: modifiers.rawValue & GDK_CONTROL_MASK.rawValue != 0)
                })
        }

        private let all = (UInt32(0x20)...0xFFFF).flatMap { key in
            [false, true].map { Key(key: key, isControlled: $0) }
        }

        @Test func `every key of the viewer is listed, and every listed key does something`() throws {
            let used = Set(all.filter { Viewer.command($0.key, $0.modifiers) != nil && !$0.isTwin })
            #expect(try listed("One image") == used)
        }

        @Test func `every key of the grid is listed`() async throws {
            let stage = try GalleryStage()
            try await stage.openFolder(of: 3)
            let controller = try #require(stage.grid?.controller)
            let used = all.filter { key in
                controller.select(0)
                defer { stage.window.closeViewer() }
                return !key.isControlled && controller.press(key.key) && !key.isTwin
            }
            let listed = try listed("Images")
            #expect(Set(used).subtracting(listed) == [])
            #expect(used.count > 8)
            stage.close()
        }

        @Test func `the window fits a screen of 360 points, with every key, and Escape closes it`() async throws {
            let stage = try GalleryStage()
            let before = g_list_model_get_n_items(gtk_window_get_toplevels())
            stage.window.actions.activate("shortcuts")
            let object = try #require(g_list_model_get_item(gtk_window_get_toplevels(), before))
            let shortcuts = object.assumingMemoryBound(to: GtkWidget.self)
            defer { g_object_unref(object) }
            let frames = TestWindow(following: shortcuts)
            frames.resize(width: 370, height: 650)
            await frames.nextFrame()
            await frames.nextFrame()
            _ = await frames.screenshot("shortcuts narrow")
            var least: gint = 0
            gtk_widget_measure(shortcuts, GTK_ORIENTATION_HORIZONTAL, -1, &least, nil, nil, nil)
            #expect(least <= 370, "the border has 5 points on each side")
            let labels = descendants(of: shortcuts, named: "GtkShortcutLabel")
            #expect(labels.count == GalleryShortcuts.groups.map(\.shortcuts.count).reduce(0, +))
            for label in labels {
                var (x, y) = (0.0, 0.0)
                gtk_widget_translate_coordinates(label, shortcuts, 0, 0, &x, &y)
                #expect(x > 0 && Int(x) + Int(gtk_widget_get_width(label)) < 370)
            }
            gtk_window_close(shortcuts.window)
            stage.close()
        }

        private func descendants(of widget: Widget, named type: String) -> [Widget] {
            var found: [Widget] = []
            var child = gtk_widget_get_first_child(widget)
            while let current = child {
                let instance = current.raw.assumingMemoryBound(to: GTypeInstance.self)
                if g_type_name_from_instance(instance).map({ String(cString: $0) }) == type { found.append(current) }
                found += descendants(of: current, named: type)
                child = gtk_widget_get_next_sibling(current)
            }
            return found
        }
    }
#endif
