#if GTK
    import CGTK4

    /// Items as GTK's lists take them: a GObject each, which is the item's identity wherever it moves.
    @MainActor
    final class ItemStore<Item> {
        private final class Box {
            let item: Item

            init(_ item: Item) {
                self.item = item
            }
        }

        private let store = ObjectReference(adopting: g_list_store_new(g_object_get_type()).raw)

        /// For GTK's functions; it stays the store's own.
        var model: OpaquePointer { store.opaque }

        var count: Int { Int(g_list_model_get_n_items(model)) }

        /// Puts items in place of others; what is left stays as it is, and is not bound anew.
        func replace(_ range: Range<Int>, with items: [Item]) {
            var objects: [gpointer?] = items.map { item in
                let object = calotype_object_new()
                if let object { Attachment.set(Box(item), named: "calotype-item", on: object) }
                return object
            }
            g_list_store_splice(model, guint(range.lowerBound), guint(range.count), &objects, guint(objects.count))
            for object in objects { g_object_unref(object) }
        }

        func item(at position: Int) -> Item? {
            guard position < count, let object = g_list_model_get_item(model, guint(position)) else { return nil }
            defer { g_object_unref(object) }
            return item(of: object)
        }

        func item(of object: UnsafeMutableRawPointer) -> Item? {
            Attachment.get(Box.self, named: "calotype-item", on: object)?.item
        }
    }
#endif
