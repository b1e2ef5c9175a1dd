#if GTK
    import CGTK4
    import Calotype
    import CalotypeCodecs
    import CalotypeUI

    /// The controller of a grid of remote images. The grid's widget owns it.
    ///
    /// Tiles exist for the visible items, and for items seen before that are up to a screen above or below. A load
    /// belongs to its item, not to a tile or position, so it survives a move. Only tiles in the viewport start loads.
    @MainActor
    final class GridController<Item: Identifiable & Sendable> where Item.ID: Sendable {
        /// The scrolled window.
        let widget: Widget
        let canvas = GridCanvas()
        let style: GridStyle
        private(set) var items: [Item] = []
        var geometry: GridGeometry
        private(set) var options: RemoteImageOptions
        /// Whether the grid uses the loader of the nearest ancestor widget.
        private let followsTree: Bool
        private let placeholder: (@MainActor () -> Widget)?
        private let request: (Item) -> ImageRequest?
        let label: (Item) -> String?

        private let tiles = GridTiles<Item.ID>()
        var cells: [Int: GridCell<Item.ID>] { tiles.bound }
        private var titles: [Int: Widget] = [:]
        let captions: GridCaptions
        /// The indicator below the last row while the next page loads. Created when it is first shown.
        var footer: GridFooter?
        private var looksAfterLayout = false
        var pageRequest: Task<Void, Never>? {
            didSet { showFooter(pageRequest != nil && !items.isEmpty) }
        }
        /// The number of items when `onNearEnd` was last called; `nil` if the user has scrolled since.
        var askedAt: Int?
        /// Whether the user has pressed End, has not reached the end yet, and has done nothing else since.
        var isOnWayToEnd = false
        /// Whether the grid itself is scrolling, to keep an item in its place or on the way to the end.
        private var scrollsItself = false
        /// The item that keeps its position in the viewport when the geometry changes, as of the latest layout.
        var anchor: Anchor?
        /// The anchor to restore after the next layout.
        var pendingAnchor: Anchor?

        /// A point of an item, and its distance from the viewport's top, `y`, in points.
        struct Anchor: Hashable {
            var position: Int
            /// The distance of the point from the item's top, as a fraction of the item's height: 0 is the top, 1 the
            /// bottom.
            var part: Double
            var y: Double
        }

        var onActivate: (@MainActor (Item) -> Void)?
        var onNearEnd: (@MainActor () async -> Void)?
        var onColumnsChange: (@MainActor (Int) -> Void)?
        /// The numbers of columns available to the wheel and to pinch gestures.
        var zoomRange: ClosedRange<Int>?
        var section: (@MainActor (Item) -> String?)? {
            didSet { replaceAll(with: items) }
        }
        var selection: Int?
        /// Whether ``focus()`` set the focus, rather than the Tab key.
        var isFocusedByProgram = false
        /// The item on which the primary button was pressed; `nil` after its release.
        var pressed: GridPress<Item.ID>?
        /// The position of the pointer in the viewport, or `nil` while it is elsewhere.
        var pointer: (x: Double, y: Double)?
        /// The accumulated fraction of a notch of the wheel.
        var turned = 0.0
        var columnsBeforePinch: Int?

        init(
            columns: Int, style: GridStyle, options: RemoteImageOptions?, placeholder: (@MainActor () -> Widget)?,
            request: @escaping (Item) -> ImageRequest?,
            label: @escaping (Item) -> String?
        ) {
            self.style = style
            self.request = request
            self.label = label
            self.placeholder = placeholder
            geometry = GridGeometry(
                columns: columns, spacing: style.spacing, margin: style.margin, leastSide: style.leastTileWidth)
            captions = GridCaptions(style)
            followsTree = options == nil
            var options = options ?? RemoteImageOptions()
            if options.idleQueue == nil { options.idleQueue = IdleQueue() }
            options.disappearance = .lowersPriority
            self.options = options
            StyleSheet.load()

            widget = gtk_scrolled_window_new()
            let viewport = gtk_viewport_new(nil, nil)
            // The focus is on the whole grid: scrolling to the focus would scroll to the grid's top.
            gtk_viewport_set_scroll_to_focus(viewport?.opaque, 0)
            gtk_viewport_set_child(viewport?.opaque, canvas.widget)
            gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
            gtk_scrolled_window_set_child(widget.opaque, viewport)
            captions.add(to: canvas)
            connect()
        }

        private func connect() {
            canvas.onMeasure = { [weak self] in self?.geometry.height(forWidth: $0) ?? 0 }
            canvas.onAllocate = { [weak self] in self?.allocate(width: $0) }
            Signal.connect(UnsafeMutableRawPointer(adjustment), "value-changed") { [weak self] in self?.scrolled() }
            Signal.connect(UnsafeMutableRawPointer(adjustment), "changed") { [weak self] in self?.lookAfterLayout() }
            Signal.connect(widget.raw, "map") { [weak self] in
                // If the previous window closed before its next layout, the callback scheduled there was never called:
                // schedule another.
                self?.looksAfterLayout = false
                self?.followTree()
                self?.lookAfterLayout()
            }
            Signal.connect(widget.raw, "unmap") { [weak self] in self?.leave() }
            listen()
        }

        /// Switches to another loader if the grid has moved below a widget with a different one.
        private func followTree() {
            let loader = widget.nearestImageLoader
            guard followsTree, loader !== options.loader else { return }
            options.loader = loader
            for cell in cells.values { cell.view.use(loader) }
        }

        var adjustment: UnsafeMutablePointer<GtkAdjustment> { gtk_scrolled_window_get_vadjustment(widget.opaque) }
    }

    // MARK: Items

    extension GridController {
        func item(at position: Int) -> Item? { items.indices.contains(position) ? items[position] : nil }

        /// Replaces a range of items. Tiles of other items keep their loads, and visible items stay where they are.
        func replace(_ range: Range<Int>, with new: [Item]) {
            let isAtEnd = range.lowerBound == items.count
            items.replaceSubrange(range, with: new)
            let shift = new.count - range.count
            if isAtEnd {
                geometry.append(new.map { section?($0) })
            } else {
                geometry.removeAll()
                geometry.append(items.map { section?($0) })
                tiles.move(by: shift, from: range)
                moveSelection(by: shift, from: range)
                if isScrolled, let anchor, !range.contains(anchor.position) {
                    let isBelow = anchor.position >= range.upperBound
                    pendingAnchor = Anchor(
                        position: anchor.position + (isBelow ? shift : 0), part: anchor.part, y: anchor.y)
                }
            }
            itemsChanged()
        }

        func replaceAll(with new: [Item]) {
            tiles.displace { _ in true }
            items = new
            selection = nil
            geometry.removeAll()
            geometry.append(new.map { section?($0) })
            (anchor, pendingAnchor, askedAt, isOnWayToEnd) = (nil, nil, nil, false)
            gtk_adjustment_set_value(adjustment, 0)
            itemsChanged()
        }

        private func moveSelection(by shift: Int, from range: Range<Int>) {
            guard let selection else { return }
            let moved = selection >= range.upperBound ? selection + shift : selection
            self.selection = range.contains(selection) || items.isEmpty ? nil : moved
        }

        private func itemsChanged() {
            captions.hide()
            gtk_widget_queue_resize(canvas.widget)
            lookAfterLayout()
        }
    }

    // MARK: Tiles

    extension GridController {
        private func bind(_ cell: GridCell<Item.ID>, _ position: Int) {
            let item = items[position]
            let scale = Int(gtk_widget_get_scale_factor(widget))
            let place = PixelSize(width: geometry.side * scale, height: geometry.side * scale)
            cell.bind(item.id, at: position, place, request(item), label(item)) {
                ImageBinder(options, isOnScreen: false)
            }
            cell.isSelected = position == selection
        }

        private func makeCell() -> GridCell<Item.ID> {
            let cell = GridCell<Item.ID>(style, placeholder?())
            canvas.add(cell.view.widget, below: captions.lowest)
            return cell
        }

        private func allocate(width: Int) {
            if width != geometry.width {
                // A grid that is scrolled to its top stays at the top.
                if pendingAnchor == nil, isScrolled { pendingAnchor = anchor }
                geometry.width = width
                lookAfterLayout()
            }
            for (position, cell) in cells where position < geometry.count {
                GridCanvas.place(cell.view.widget, geometry.frame(at: position))
            }
            for (section, title) in titles where section < geometry.sections.count {
                GridCanvas.place(title, geometry.titleFrame(of: section))
            }
            if let footer { GridCanvas.place(footer.widget, geometry.footerFrame) }
            captions.allocate { $0 < geometry.count ? geometry.frame(at: $0) : nil }
        }
    }

    // MARK: The viewport

    extension GridController {
        var isScrolled: Bool { gtk_adjustment_get_value(adjustment) > 0 }

        /// The visible vertical range, in points from the grid's top.
        var viewport: Range<Double> {
            let top = gtk_adjustment_get_value(adjustment)
            return top..<top + max(gtk_adjustment_get_page_size(adjustment), 0)
        }

        private func scrolled() {
            options.idleQueue?.noteScroll()
            if !isOnWayToEnd || !scrollsItself {
                // If the latest call of `onNearEnd` added no items, for example after an error, scrolling may repeat it.
                (askedAt, isOnWayToEnd) = (nil, false)
            }
            captions.hover(nil)
            lookAfterLayout()
        }

        func lookAfterLayout() {
            guard !looksAfterLayout else { return }
            looksAfterLayout = AfterLayout.call(for: widget) { [weak self] in
                self?.looksAfterLayout = false
                self?.look()
            }
        }

        /// Binds the tiles that have come into view and starts their loads, suspends the loads of tiles that have left
        /// the view, and releases distant tiles.
        private func look() {
            guard gtk_widget_get_mapped(widget) != 0 else { return leave() }
            scrollsItself = true
            putAnchorBack()
            followWayToEnd()
            scrollsItself = false
            let seen = seenPositions
            let page = gtk_adjustment_get_page_size(adjustment)
            let kept = geometry.items(in: viewport.lowerBound - page..<viewport.upperBound + page)
            tiles.displace { !kept.contains($0) }
            tiles.bind(seen, id: { items[$0].id }, make: makeCell, bind: bind)
            for (position, cell) in cells where !seen.contains(position) { cell.view.disappear() }
            // The idle queue starts its newest load first: the top tile, if the tiles are added from the bottom up.
            let isMoving = options.idleQueue.map { !$0.isIdle } ?? false
            for position in isMoving ? Array(seen.reversed()) : Array(seen) { cells[position]?.view.appear() }
            showTitles()
            tiles.dropSpare { gtk_widget_unparent($0.view.widget) }
            gtk_widget_queue_allocate(canvas.widget)
            anchor = seen.first.map { first in
                // Keep an anchor in the first row, even if another image begins that row because the number of columns
                // has changed.
                let old = anchor.flatMap { seen.contains($0.position) ? $0.position : nil } ?? first
                let position = geometry.frame(at: old).y == geometry.frame(at: first).y ? old : first
                return Anchor(position: position, part: 0, y: y(of: position, part: 0))
            }
            guard geometry.width > 0 else { return }
            askForMore(lastSeen: seen.last ?? 0, seen.count)
            if pageRequest == nil { isOnWayToEnd = false }
        }

        private func leave() {
            isOnWayToEnd = false
            tiles.releaseDisplaced()
            for cell in cells.values { cell.view.disappear() }
        }

        private func showTitles() {
            let seen = Set(geometry.titles(in: viewport))
            for (section, title) in titles where !seen.contains(section) {
                titles[section] = nil
                gtk_widget_unparent(title)
            }
            for section in seen {
                let title = titles[section] ?? makeTitle(section)
                if let text = geometry.sections[section].title { gtk_label_set_text(title.opaque, text) }
            }
        }

        private func makeTitle(_ section: Int) -> Widget {
            let title: Widget = gtk_label_new(nil)
            gtk_label_set_xalign(title.opaque, 0)
            gtk_label_set_ellipsize(title.opaque, PANGO_ELLIPSIZE_MIDDLE)
            gtk_widget_add_css_class(title, "calotype-section")
            canvas.add(title, below: captions.lowest)
            titles[section] = title
            return title
        }

        var seenPositions: Range<Int> { geometry.items(in: viewport) }

        var visibleCells: [GridCell<Item.ID>] { seenPositions.compactMap { cells[$0] } }

        /// Returns the top and bottom of an item, in points from the viewport's top, or `nil` if the item is not
        /// visible.
        func extent(of position: Int) -> Range<Double>? {
            guard seenPositions.contains(position) else { return nil }
            return y(of: position, part: 0)..<y(of: position, part: 1)
        }

        /// Returns the distance, in points, from the viewport's top to a point of an item. See ``Anchor/part``.
        func y(of position: Int, part: Double) -> Double {
            let frame = geometry.frame(at: position)
            return Double(frame.y) + part * Double(frame.height) - gtk_adjustment_get_value(adjustment)
        }

        private func putAnchorBack() {
            guard let pending = pendingAnchor, geometry.width > 0 else { return }
            pendingAnchor = nil
            guard pending.position < geometry.count else { return }
            let value = gtk_adjustment_get_value(adjustment) + y(of: pending.position, part: pending.part) - pending.y
            gtk_adjustment_set_value(adjustment, value.rounded())
        }
    }
#endif
