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
    /// Images in memory are there at once, while it scrolls too; others start when it has rested, newest first, and
    /// rows that flew past ask for nothing. A tile shows its own item's image, wherever the item moves to. Requests
    /// without a size get that of a tile.
    ///
    /// The grid takes the focus. The arrow keys, Home, End, Page Up and Page Down select an item, Enter and the space bar
    /// choose it.
    @MainActor
    public final class RemoteImageGrid<Item: Identifiable & Sendable> where Item.ID: Sendable {
        private let reference: ObjectReference
        let controller: GridController<Item>

        /// Creates a grid without items.
        ///
        /// - Parameters:
        ///   - columns: The number of tiles side by side. The default is 3.
        ///   - style: The look of the grid.
        ///   - options: If `nil` (the default), the standard options, with the loader of the nearest widget above that has
        ///     one: see `imageLoader` of a widget.
        ///   - placeholder: Makes the widget that fills a tile until its image is there. If `nil` (the default), there is none.
        ///   - request: Returns the request of an item, or `nil` for an item without an image.
        ///   - label: Returns what the image of an item shows, for captions and for people who cannot see it.
        public init(
            columns: Int = 3, style: GridStyle = GridStyle(), options: RemoteImageOptions? = nil,
            placeholder: (@MainActor () -> Widget)? = nil,
            request: @escaping (Item) -> ImageRequest?, label: @escaping (Item) -> String? = { _ in nil }
        ) {
            controller = GridController(
                columns: max(columns, 1), style: style, options: options, placeholder: placeholder, request: request,
                label: label)
            reference = ObjectReference(adopting: controller.widget.raw)
            Attachment.set(controller, named: "calotype-grid", on: controller.widget.raw)
        }

        /// To be put into a window. Scrolls by itself.
        public var widget: Widget { controller.widget }
    }

    // MARK: Items

    extension RemoteImageGrid {
        /// The number of items.
        public var count: Int { controller.items.count }

        /// The item at a position; nil beyond the end.
        public func item(at position: Int) -> Item? { controller.item(at: position) }

        /// Returns the request that an item's tile shows now, with its size; `nil` for an item that is not near the
        /// screen.
        ///
        /// Good as a preview of a larger image.
        public func shownRequest(for id: Item.ID) -> ImageRequest? {
            controller.cells.values.first { $0.id == id }?.view.binder?.request
        }

        /// Adds items at the end; what is there stays as it is.
        public func append(_ items: [Item]) { insert(items, at: count) }

        /// Adds items in front of the one at `position`. What is seen stays where it is, except at the top of the grid.
        public func insert(_ items: [Item], at position: Int) {
            let position = min(max(position, 0), count)
            controller.replace(position..<position, with: items)
        }

        /// Removes items. Positions that do not exist are passed over.
        public func remove(_ positions: Range<Int>) {
            controller.replace(positions.clamped(to: 0..<count), with: [])
        }

        /// Shows these items and no others, from the top.
        public func replaceAll(with items: [Item]) { controller.replaceAll(with: items) }

        /// Returns the title above an item. Items that follow each other with the same title form a section.
        ///
        /// If `nil` (the default), or where it returns `nil`, there is no title. Setting it shows all items from the top.
        public var sectionTitle: (@MainActor (Item) -> String?)? {
            get { controller.section }
            set { controller.section = newValue }
        }
    }

    // MARK: Columns

    extension RemoteImageGrid {
        /// The number of tiles side by side, where they are as wide as the style wants them at least. When it changes, the
        /// first row that is seen stays.
        public var columns: Int {
            get { controller.geometry.wantedColumns }
            set { controller.setColumns(max(newValue, 1)) }
        }

        /// The numbers of columns that a user may choose with two fingers, or with the wheel while Control is pressed.
        ///
        /// The image below the pointer stays where it is. If `nil` (the default), the number stays what it is.
        public var zoomRange: ClosedRange<Int>? {
            get { controller.zoomRange }
            set { controller.zoomRange = newValue }
        }

        /// Called when the user has chosen another number of columns.
        public var onColumnsChange: (@MainActor (Int) -> Void)? {
            get { controller.onColumnsChange }
            set { controller.onColumnsChange = newValue }
        }
    }

    // MARK: Selection

    extension RemoteImageGrid {
        /// The position of the item that the keyboard is on, or `nil` if there is none. Setting it scrolls to the item.
        public var selectedPosition: Int? {
            get { controller.selection }
            set {
                if let newValue { controller.reveal(newValue) }
                controller.select(newValue)
            }
        }

        /// Gives the grid the focus of the keyboard. The first arrow key selects an item, if none is selected.
        public func focus() { controller.focus() }

        /// Returns the place of an item's tile in an ancestor of the grid, in points, or `nil` if none of it is seen.
        public func frame(at position: Int, in ancestor: Widget) -> (
            x: Double, y: Double, width: Double, height: Double
        )? {
            guard let extent = controller.extent(of: position) else { return nil }
            let tile = controller.geometry.frame(at: position)
            var (x, y) = (0.0, 0.0)
            guard gtk_widget_translate_coordinates(widget, ancestor, Double(tile.x), extent.lowerBound, &x, &y) != 0
            else { return nil }
            return (x, y, Double(tile.width), Double(tile.height))
        }

        /// Called when an item is clicked, or chosen by the keyboard. It is selected by then. Hold this grid weakly in it.
        public var onActivate: (@MainActor (Item) -> Void)? {
            get { controller.onActivate }
            set { controller.onActivate = newValue }
        }

        /// Called when less than a screen is left below: add more items in it. While it runs,
        /// `RemoteImageTexts.loadingMore` stands below the last row. Not called again while it runs, and not twice for the
        /// same end unless the user scrolls on. Hold this grid weakly in it.
        public var onNearEnd: (@MainActor () async -> Void)? {
            get { controller.onNearEnd }
            set {
                controller.onNearEnd = newValue
                controller.lookAfterLayout()
            }
        }
    }
#endif
