#if GTK
    import CGTK4
    public import Calotype
    public import CalotypeUI

    /// A grid of square remote images that scrolls, for any number of items.
    ///
    /// ```swift
    /// let grid = RemoteImageGrid<Photo>(columns: 3) { ImageRequest($0.imageURL) } label: { $0.name }
    /// grid.onNearEnd = { [weak grid] in grid?.append(await api.nextPage()) }
    /// grid.onActivate = { photo in show(photo) }
    /// grid.append(firstPage)
    /// ```
    ///
    /// Pictures in memory are there at once, while it scrolls too; others start when it has rested, newest first, and
    /// rows that flew past ask for nothing. A cell shows its own item's picture, wherever the item moves to. Requests
    /// without a size get that of a cell.
    @MainActor
    public final class RemoteImageGrid<Item: Identifiable & Sendable> where Item.ID: Sendable {
        private let reference: ObjectReference
        let controller: GridController<Item>

        /// - Parameters:
        ///   - columns: how many stand side by side. 3 by default.
        ///   - options: If `nil` (the default), the standard options, with the loader of the nearest widget above that has
        ///     one: see `imageLoader` of a widget.
        ///   - placeholder: Makes the widget that fills a cell until its image is there. If `nil` (the default), there is none.
        ///   - request: what an item's cell loads; nil for an item without a picture.
        ///   - label: what its picture shows, for those who cannot see it.
        public init(
            columns: Int = 3, options: RemoteImageOptions? = nil, placeholder: (@MainActor () -> Widget)? = nil,
            request: @escaping (Item) -> ImageRequest?, label: @escaping (Item) -> String? = { _ in nil }
        ) {
            controller = GridController(
                columns: max(columns, 1), options: options, placeholder: placeholder, request: request, label: label)
            reference = ObjectReference(adopting: controller.widget.raw)
            Attachment.set(controller, named: "calotype-grid", on: controller.widget.raw)
        }

        /// To be put into a window. Scrolls by itself.
        public var widget: Widget { controller.widget }

        /// How many items there are.
        public var count: Int { controller.store.count }

        /// The item at a position; nil beyond the end.
        public func item(at position: Int) -> Item? { controller.store.item(at: position) }

        /// Returns the request that an item's cell shows now, with its size; `nil` for an item that is not near the
        /// screen.
        ///
        /// Good as a preview of a larger picture.
        public func shownRequest(for id: Item.ID) -> ImageRequest? {
            controller.cells.values.first { $0.id == id }?.view.binder?.request
        }

        /// Adds items at the end; what is there stays as it is.
        public func append(_ items: [Item]) { insert(items, at: count) }

        /// Adds items in front of the one at `position`; the others stay as they are.
        public func insert(_ items: [Item], at position: Int) {
            let position = min(max(position, 0), count)
            controller.store.replace(position..<position, with: items)
        }

        /// Removes items. Positions that do not exist are passed over.
        public func remove(_ positions: Range<Int>) {
            controller.store.replace(positions.clamped(to: 0..<count), with: [])
        }

        /// Shows these items and no others, from the top.
        public func replaceAll(with items: [Item]) {
            controller.store.replace(0..<count, with: items)
            gtk_adjustment_set_value(controller.adjustment, 0)
        }

        /// Called when an item is clicked, or chosen by the keyboard. Hold this grid weakly in it.
        public var onActivate: (@MainActor (Item) -> Void)? {
            get { controller.onActivate }
            set { controller.onActivate = newValue }
        }

        /// Called when less than a screen is left below: add more items in it. Not called again while it runs, and not
        /// twice for the same end unless the user scrolls on. Hold this grid weakly in it.
        public var onNearEnd: (@MainActor () async -> Void)? {
            get { controller.onNearEnd }
            set {
                controller.onNearEnd = newValue
                controller.lookAfterLayout()
            }
        }
    }
#endif
