#if GTK
    import CGTK4
    import CalotypeUI

    /// A cell of the grid, for one item after the other.
    @MainActor
    final class GridCell<ID: Hashable & Sendable> {
        let view: PictureView
        /// The cell's place among GTK's, which holds this cell.
        private let listItem: OpaquePointer
        /// Of the item that is bound.
        var id: ID?

        init(_ listItem: OpaquePointer, _ placeholder: Widget?) {
            self.listItem = listItem
            view = PictureView.make(PictureStyle(fit: .cover, ratio: 1))
            view.placeholder = placeholder
            gtk_widget_add_css_class(view.widget, "calotype-cell")
            gtk_list_item_set_child(listItem, view.widget)
            Attachment.set(self, named: "calotype-cell", on: listItem.raw)
        }

        static func of(_ listItem: OpaquePointer) -> GridCell? {
            Attachment.get(GridCell.self, named: "calotype-cell", on: listItem.raw)
        }

        /// In the list, where it is now; nil while no item is bound.
        var position: Int? {
            let position = gtk_list_item_get_position(listItem)
            return position == GTK_INVALID_LIST_POSITION ? nil : Int(position)
        }
    }
#endif
