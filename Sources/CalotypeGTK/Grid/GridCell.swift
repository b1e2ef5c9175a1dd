#if GTK
    import CGTK4
    import Calotype
    import CalotypeUI

    /// A tile of the grid, which is reused for different items.
    @MainActor
    final class GridCell<ID: Hashable & Sendable> {
        let view: PictureView
        private let reference: ObjectReference
        private(set) var id: ID?
        /// The item's current position in the list, or `nil` if no item is bound.
        var position: Int?

        init(_ style: GridStyle, _ placeholder: Widget?) {
            view = PictureView.make(
                PictureStyle(fit: .cover, showsProgress: style.loading == .spinner), role: GTK_ACCESSIBLE_ROLE_LIST_ITEM
            )
            reference = ObjectReference(adopting: view.widget.raw)
            view.placeholder = placeholder
            gtk_widget_add_css_class(view.widget, "calotype-cell")
            if style.loading == .shimmer { gtk_widget_add_css_class(view.widget, "calotype-shimmer") }
            if style.cornerRadius > 0 {
                gtk_widget_add_css_class(view.widget, StyleSheet.rounded(style.cornerRadius))
            }
        }

        /// Shows an item in a tile of this size, in pixels. If the tile already shows this item, the load continues.
        func bind(
            _ id: ID, at position: Int, _ place: PixelSize, _ request: ImageRequest?, _ label: String?,
            makeBinder: () -> ImageBinder
        ) {
            view.expect(place)
            if self.id != id { view.attach(makeBinder()) }
            (self.id, self.position) = (id, position)
            view.show(request, label: label, isRebound: true)
            gtk_widget_set_child_visible(view.widget, 1)
        }

        /// Cancels the load, and shows nothing until the next item.
        func unbind() {
            (id, position) = (nil, nil)
            view.attach(nil)
            isSelected = false
            gtk_widget_set_child_visible(view.widget, 0)
        }

        var isSelected = false {
            didSet { view.widget.setClass("calotype-selected", isSelected) }
        }
    }
#endif
