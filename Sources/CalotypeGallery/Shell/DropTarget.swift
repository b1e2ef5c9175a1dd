#if GTK
    import CAdwaita
    import CalotypeGTK

    /// Takes a folder, a file or an address that is dropped on a widget.
    @MainActor
    struct DropTarget {
        /// The controller, which belongs to the widget.
        let controller: OpaquePointer

        init(on widget: Widget, open: @escaping @MainActor (String) -> Void) {
            controller = gtk_drop_target_new(calotype_type_file_list(), GDK_ACTION_COPY)
            // A file manager offers files and their names alike: the first type that fits counts.
            var types = [calotype_type_file_list(), calotype_type_string()]
            gtk_drop_target_set_gtypes(controller, &types, gsize(types.count))
            Signal.connectDrop(controller) { value in
                guard let text = DropTarget.text(of: value) else { return false }
                open(text)
                return true
            }
            gtk_widget_add_controller(widget, controller)
        }

        private static func text(of value: UnsafePointer<GValue>) -> String? {
            if let file = calotype_dropped_file(value) {
                defer { g_object_unref(file.raw) }
                return Dialogs.text(of: file)
            }
            // Browsers offer an address with its title on the next line.
            let text = calotype_dropped_text(value).map { String(cString: $0) }
            return text?.split(whereSeparator: \.isNewline).first.map(String.init)
        }
    }
#endif
