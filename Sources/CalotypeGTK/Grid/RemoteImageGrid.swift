#if GTK
    import CGTK4
    public import Calotype
    public import CalotypeUI

    /// A scrolling grid of square remote images, for any number of items.
    ///
    /// ```swift
    /// let grid = RemoteImageGrid<Photo>(columns: 3) { ImageRequest($0.imageURL) } label: { $0.name }
    /// grid.onNearEnd = { [weak grid] in grid?.append(await api.nextPage()) }
    /// grid.onActivate = { photo in show(photo) }
    /// grid.append(firstPage)
    /// ```
    ///
    /// Images in memory appear at once, even during scrolling. Other loads start when scrolling has paused, newest
    /// first, and rows that scrolled past load nothing. A tile shows its item's image wherever the item moves. Requests
    /// without a size get the size of a tile.
    ///
    /// The grid takes the focus. The arrow keys, Home, End, Page Up and Page Down select an item; Enter and the space
    /// bar activate it. End goes on to the items that ``onNearEnd`` appends, until it appends none.
    @MainActor
    public final class RemoteImageGrid<Item: Identifiable & Sendable> where Item.ID: Sendable {
        private let reference: ObjectReference
        let controller: GridController<Item>

        /// Creates a grid without items.
        ///
        /// - Parameters:
        ///   - columns: The number of columns. The default is 3.
        ///   - style: The look of the grid.
        ///   - options: The options of the images. If `nil` (the default), the standard options, with the loader of the
        ///     nearest ancestor widget that has one: see `imageLoader` of a widget.
        ///   - placeholder: Makes the widget that fills a tile until its image arrives. The default is `nil`.
        ///   - request: Returns the request of an item, or `nil` for an item without an image.
        ///   - label: Returns a description of an item's image, for captions and assistive technologies.
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

        /// The widget to add to a window. It scrolls its contents.
        public var widget: Widget { controller.widget }
    }

    // MARK: Items

    extension RemoteImageGrid {
        /// The number of items.
        public var count: Int { controller.items.count }

        /// Returns the item at a position, or `nil` beyond the end.
        public func item(at position: Int) -> Item? { controller.item(at: position) }

        /// Returns the request that an item's tile shows now, with its size, or `nil` for an item far from the
        /// viewport.
        ///
        /// Useful as the preview of a larger image.
        public func shownRequest(for id: Item.ID) -> ImageRequest? {
            controller.cells.values.first { $0.id == id }?.view.binder?.request
        }

        /// Appends items. The other items keep their tiles.
        public func append(_ items: [Item]) { insert(items, at: count) }

        /// Inserts items before the item at `position`. Visible items stay where they are, unless the grid is scrolled
        /// to its top.
        public func insert(_ items: [Item], at position: Int) {
            let position = min(max(position, 0), count)
            controller.replace(position..<position, with: items)
        }

        /// Removes items. Positions that do not exist are ignored.
        public func remove(_ positions: Range<Int>) {
            controller.replace(positions.clamped(to: 0..<count), with: [])
        }

        /// Replaces all items, and scrolls to the top.
        public func replaceAll(with items: [Item]) { controller.replaceAll(with: items) }

        /// Returns the title above an item. Consecutive items with the same title form a section.
        ///
        /// If `nil` (the default), or if it returns `nil`, there is no title. Setting the closure scrolls to the top.
        public var sectionTitle: (@MainActor (Item) -> String?)? {
            get { controller.section }
            set { controller.section = newValue }
        }
    }

    // MARK: Columns

    extension RemoteImageGrid {
        /// The requested number of columns or, if ``greatestTileWidth`` is set, the actual number. The grid has fewer
        /// columns if tiles would be too narrow. After a change, the first visible row stays where it is.
        public var columns: Int {
            get { controller.columns }
            set { controller.setColumns(max(newValue, 1)) }
        }

        /// The maximum width of a tile in points: if tiles would be wider, the grid has more columns than requested.
        ///
        /// If `nil` (the default), tiles have no maximum. The limit becomes `nil` when the program sets ``columns``, or
        /// the user chooses a number of columns.
        public var greatestTileWidth: Int? {
            get { controller.geometry.greatestSide > 0 ? controller.geometry.greatestSide : nil }
            set { controller.setColumns(controller.geometry.wantedColumns, greatestSide: max(newValue ?? 0, 0)) }
        }

        /// The numbers of columns that a user may choose by pinching, or with the wheel while Control is pressed.
        ///
        /// The image under the pointer keeps its position. If `nil` (the default), the number of columns is fixed.
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
        /// The position of the selected item, or `nil` if no item is selected. Setting it scrolls to the item.
        public var selectedPosition: Int? {
            get { controller.selection }
            set {
                controller.isOnWayToEnd = false
                if let newValue { controller.reveal(newValue) }
                controller.select(newValue)
            }
        }

        /// Whether the user has pressed End and has done nothing else since, while ``onNearEnd`` appends items.
        package var isGoingToEnd: Bool { controller.isOnWayToEnd }

        /// Moves the keyboard focus to the grid. If no item is selected, the first arrow key selects one.
        public func focus() { controller.focus() }

        /// Returns the frame of an item's tile in an ancestor of the grid, in points, or `nil` for an invisible tile.
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

        /// Called when the user has clicked an item or pressed Enter or the space bar on it, after the item has been
        /// selected. A click begins and ends on the same item, without a drag in between. Capture the grid weakly.
        public var onActivate: (@MainActor (Item) -> Void)? {
            get { controller.onActivate }
            set { controller.onActivate = newValue }
        }

        /// Called when less than a screen of items is left below, to append more items. Until the closure returns, the
        /// grid shows `RemoteImageTexts.loadingMore` below the last row. If the closure appends nothing, the grid calls
        /// it again only after the user has scrolled. After the End key, the grid calls it repeatedly until it appends
        /// nothing, or until the user scrolls, clicks or presses another key. Capture the grid weakly.
        public var onNearEnd: (@MainActor () async -> Void)? {
            get { controller.onNearEnd }
            set {
                controller.onNearEnd = newValue
                controller.lookAfterLayout()
            }
        }
    }
#endif
