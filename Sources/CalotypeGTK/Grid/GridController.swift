#if GTK
    import CGTK4
    import Calotype
    import CalotypeCodecs
    import CalotypeUI

    /// The behavior of a grid of remote images. Belongs to the grid's widget and ends with it.
    ///
    /// GTK binds many more cells than can be seen, and binds all of them anew when a row is inserted at the top. So the
    /// load belongs to the item, not to the cell or the position: what is unbound and bound again within one layout goes
    /// on as if nothing had happened. And only cells within the viewport start anything.
    @MainActor
    final class GridController<Item: Identifiable & Sendable> where Item.ID: Sendable {
        let widget: Widget
        let gridView: Widget
        let store = ItemStore<Item>()
        private(set) var options: RemoteImageOptions
        /// A Boolean value indicating whether the loader is that of the nearest widget above.
        private let followsTree: Bool
        private let placeholder: (@MainActor () -> Widget)?
        private let columns: Int
        private let request: (Item) -> ImageRequest?
        private let label: (Item) -> String?

        private(set) var cells: [ObjectIdentifier: GridCell<Item.ID>] = [:]
        /// Unbound since the last layout, and perhaps bound again in this one.
        private var unbound: [Item.ID: ImageBinder] = [:]
        private var place: PixelSize?
        private var looksAfterLayout = false
        private var pageRequest: Task<Void, Never>?
        /// How many items there were when more were asked for.
        private var askedAt: Int?

        var onActivate: (@MainActor (Item) -> Void)?
        var onNearEnd: (@MainActor () async -> Void)?

        init(
            columns: Int, options: RemoteImageOptions?, placeholder: (@MainActor () -> Widget)?,
            request: @escaping (Item) -> ImageRequest?,
            label: @escaping (Item) -> String?
        ) {
            self.columns = columns
            self.request = request
            self.label = label
            self.placeholder = placeholder
            followsTree = options == nil
            var options = options ?? RemoteImageOptions()
            if options.idleQueue == nil { options.idleQueue = IdleQueue() }
            options.disappearance = .lowersPriority
            self.options = options

            let factory = gtk_signal_list_item_factory_new()
            g_object_ref(store.model.raw)
            gridView = gtk_grid_view_new(gtk_no_selection_new(store.model), factory)
            widget = gtk_scrolled_window_new()
            gtk_grid_view_set_min_columns(gridView.opaque, guint(columns))
            gtk_grid_view_set_max_columns(gridView.opaque, guint(columns))
            gtk_grid_view_set_single_click_activate(gridView.opaque, 1)
            gtk_widget_add_css_class(gridView, "calotype-grid")
            gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
            gtk_scrolled_window_set_child(widget.opaque, gridView)
            if let factory { connect(factory) }
        }

        private func connect(_ factory: OpaquePointer) {
            Signal.connect(
                factory.raw, "setup", objectHandler: { [placeholder] in _ = GridCell<Item.ID>($0, placeholder?()) })
            Signal.connect(factory.raw, "bind", objectHandler: { [weak self] in self?.bind($0) })
            Signal.connect(factory.raw, "unbind", objectHandler: { [weak self] in self?.unbind($0) })
            Signal.connect(gridView.raw, "activate", numberHandler: { [weak self] in self?.activate(Int($0)) })
            Signal.connect(UnsafeMutableRawPointer(adjustment), "value-changed") { [weak self] in self?.scrolled() }
            Signal.connect(UnsafeMutableRawPointer(adjustment), "changed") { [weak self] in self?.lookAfterLayout() }
            Signal.connect(widget.raw, "map") { [weak self] in
                // What was put off in another window, which has gone, never came.
                self?.looksAfterLayout = false
                self?.followTree()
                self?.lookAfterLayout()
            }
            Signal.connect(widget.raw, "unmap") { [weak self] in self?.leave() }
        }

        /// The grid may have come below a widget with another loader.
        private func followTree() {
            let loader = widget.nearestImageLoader
            guard followsTree, loader !== options.loader else { return }
            options.loader = loader
            for cell in cells.values { cell.view.use(loader) }
        }

        var adjustment: UnsafeMutablePointer<GtkAdjustment> { gtk_scrolled_window_get_vadjustment(widget.opaque) }
    }

    // MARK: Cells

    extension GridController {
        private func bind(_ listItem: OpaquePointer) {
            guard let cell = GridCell<Item.ID>.of(listItem), let object = gtk_list_item_get_item(listItem),
                let item = store.item(of: object)
            else { return }
            cell.id = item.id
            cells[ObjectIdentifier(cell)] = cell
            cell.view.assume(place)
            cell.view.attach(unbound.removeValue(forKey: item.id) ?? ImageBinder(options, isOnScreen: false))
            cell.view.show(request(item), label: label(item), isRebound: true)
            lookAfterLayout()
        }

        private func unbind(_ listItem: OpaquePointer) {
            guard let cell = GridCell<Item.ID>.of(listItem) else { return }
            cells[ObjectIdentifier(cell)] = nil
            if let id = cell.id, let binder = cell.view.binder { unbound[id] = binder }
            cell.id = nil
            cell.view.attach(nil)
            lookAfterLayout()
        }

        private func activate(_ position: Int) {
            if let item = store.item(at: position) { onActivate?(item) }
        }
    }

    // MARK: The viewport

    extension GridController {
        private func scrolled() {
            options.idleQueue?.noteScroll()
            // Whoever scrolls on after a page that failed wants it tried again.
            askedAt = nil
            lookAfterLayout()
        }

        func lookAfterLayout() {
            guard !looksAfterLayout else { return }
            looksAfterLayout = AfterLayout.call(for: widget) { [weak self] in
                self?.looksAfterLayout = false
                self?.look()
            }
        }

        /// Starts what has come into view, puts off what has left it, and lets go of what was not bound again.
        private func look() {
            unbound.removeAll()
            guard gtk_widget_get_mapped(widget) != 0 else { return leave() }
            let seen = visibleCells
            let isSeen = Set(seen.map { ObjectIdentifier($0) })
            for (key, cell) in cells where !isSeen.contains(key) { cell.view.disappear() }
            // The last to wait is the first to start: while it scrolls, from the bottom up.
            let isMoving = options.idleQueue.map { !$0.isIdle } ?? false
            for cell in isMoving ? seen.reversed() : seen { cell.view.appear() }
            place = seen.first?.view.place ?? place
            if store.count == 0 || !seen.isEmpty { askForMore(lastSeen: seen.last?.position ?? 0, seen.count) }
        }

        private func leave() {
            unbound.removeAll()
            for cell in cells.values { cell.view.disappear() }
        }

        /// In the order of the list.
        var visibleCells: [GridCell<Item.ID>] {
            let seen = cells.values.compactMap { cell -> (position: Int, cell: GridCell<Item.ID>)? in
                guard let position = cell.position, extent(of: position) != nil else { return nil }
                return (position, cell)
            }
            return seen.sorted { $0.position < $1.position }.map(\.cell)
        }

        /// Top and bottom of the item at a position, if any of it is within the viewport; from the viewport's top.
        ///
        /// Worked out from the adjustment, all rows being of one height: cells that GTK has bound but not placed yet
        /// say where another item was.
        func extent(of position: Int) -> Range<Double>? {
            let rows = (store.count + columns - 1) / columns
            let upper = gtk_adjustment_get_upper(adjustment)
            guard rows > 0, upper > 0 else { return nil }
            let height = upper / Double(rows)
            let top = Double(position / columns) * height - gtk_adjustment_get_value(adjustment)
            guard top < gtk_adjustment_get_page_size(adjustment), top + height > 0 else { return nil }
            return top..<top + height
        }
    }

    // MARK: More items

    extension GridController {
        /// Asks when less than a screen is left below: once for each end, and never twice at once.
        private func askForMore(lastSeen: Int, _ screen: Int) {
            let count = store.count
            guard let onNearEnd, pageRequest == nil, askedAt != count, lastSeen + screen >= count else { return }
            askedAt = count
            pageRequest = Task { [weak self] in
                await onNearEnd()
                self?.pageRequest = nil
                self?.lookAfterLayout()
            }
        }
    }
#endif
