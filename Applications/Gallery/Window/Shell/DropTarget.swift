#if GTK
    import CAdwaita
    import CalotypeGTK

    /// A target that accepts a folder, files or an address that the user drops on a widget.
    @MainActor
    struct DropTarget {
        /// The controller, which the widget owns.
        let controller: OpaquePointer

        init(on widget: Widget, open: @escaping @MainActor ([String]) -> Void) {
            controller = gtk_drop_target_new(calotype_type_file_list(), GDK_ACTION_COPY)
            // File lists come first: a file manager offers both files and their names, and GTK takes the first type
            // that fits.
            var types = [calotype_type_file_list(), calotype_type_string()]
            gtk_drop_target_set_gtypes(controller, &types, gsize(types.count))
            Signal.connectDrop(controller) { value in
                let texts = DropTarget.texts(of: value)
                if !texts.isEmpty { open(texts) }
                return !texts.isEmpty
            }
            gtk_widget_add_controller(widget, controller)
        }

        private static func texts(of value: UnsafePointer<GValue>) -> [String] {
            var texts: [String] = []
            var entry = calotype_dropped_files(value)
            while let current = entry {
                if let file = calotype_list_data(current), let text = Dialogs.text(of: OpaquePointer(file)) {
                    texts.append(text)
                }
                entry = calotype_list_next(current)
            }
            if !texts.isEmpty { return texts }
            // Browsers offer an address, with its title on the next line.
            let text = calotype_dropped_text(value).map { String(cString: $0) }
            return text?.split(whereSeparator: \.isNewline).first.map { [String($0)] } ?? []
        }
    }
#endif
