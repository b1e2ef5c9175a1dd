#if GTK
    import CAdwaita
    import Calotype
    import CalotypeBase
    import CalotypeCodecs
    package import CalotypeGTK
    import CalotypeUI
    package import Foundation

    /// A view of one image of a list, as large as the window, with zoom, neighbours, details, and actions on the image.
    ///
    /// The viewer's widget covers the window's contents for as long as an image is shown.
    @MainActor
    package final class Viewer {
        struct Shown {
            let position: Int
            let item: GalleryItem
            /// The request of the item's tile, whose image may be in memory.
            let tile: ImageRequest?
            /// The request for the image; `nil` until the address of its large image is known.
            var request: ImageRequest?
            var rendition: Rendition?
            var facts = ImageFacts()
            /// The image's own size in pixels, if the decoded image reveals it.
            var size: PixelSize?
            /// The nearest layer that had the image; `nil` until it has been loaded.
            var origin: ImageResponse.Origin?
            /// Whether any rendition of the image is visible.
            var isVisible = false
            /// The point to zoom to once the image's own size is known; `nil` unless the user has asked for that size.
            var actualSizePoint: CGPoint?
        }

        package let widget: Widget = gtk_overlay_new()
        private let reference: ObjectReference
        private let backdrop: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        let content: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        private(set) lazy var bar = ViewerBar { [weak self] in
            self?.perform($0)
        } showDetails: { [weak self] in
            self?.showDetails($0)
        }
        private(set) lazy var controls = ViewerControls { [weak self] in self?.perform($0) }
        let details = DetailsPanel()
        private(set) lazy var stage = ViewerStage(RemoteImageOptions(loader: model.loader)) { [weak self] in
            self?.place(on: $0)
        }

        private(set) weak var host: (any ViewerHost)?
        let model: GalleryModel
        let neighbours: NeighbourLoader
        let readers = BlockingPool(threads: 1)
        var loader: ImageLoader { model.loader }

        var shown: Shown?
        var zoom = Zoom()
        private(set) var motion: (motion: OpeningMotion, elapsed: Duration)?
        private var finding: Task<Void, Never>?
        var reading: Task<Void, Never>?
        var acting: Task<Void, Never>?
        private var growing: Task<Void, Never>?
        /// The way to the last image of a list that is not complete yet.
        private var ending: Task<Void, Never>?
        var pointer: CGPoint?
        var swipe = SwipeMeter()
        let rest: PointerRest
        /// Whether the window fills the screen. The controls are then hidden while the pointer rests. The default is
        /// `false`.
        package var isFullScreen = false {
            didSet { if isFullScreen != oldValue { fullScreenChanged() } }
        }

        /// Opens an address in another application. Returns `true` if the desktop found an application for it.
        var openElsewhere: @MainActor (_ address: String) -> Bool = {
            g_app_info_launch_default_for_uri($0, nil, nil) != 0
        }

        /// Creates a viewer that shows one image of the host's model.
        ///
        /// - Parameter frame: The tile's rectangle in the coordinates of ``widget``. The image grows out of it if the
        ///   desktop's settings allow animations. If `nil`, the image appears at once.
        package init(
            host: any ViewerHost, at index: Int, from frame: CGRect?, clock: any Clock<Duration> = ContinuousClock()
        ) {
            self.host = host
            model = host.model
            rest = PointerRest(clock)
            neighbours = NeighbourLoader(host.model.loader)
            GalleryStyle.load()
            reference = ObjectReference(adopting: widget.raw)
            arrange()
            stage.picture.onStateChange = { [weak self] in self?.take($0) }
            listen()
            show(index)
            if let frame, shown != nil { move(frame, isClosing: false) }
        }

        deinit { for task in [finding, reading, acting, growing, ending] { task?.cancel() } }

        private func arrange() {
            gtk_widget_set_focusable(widget, 1)
            gtk_widget_add_css_class(widget, "calotype-viewer")
            gtk_widget_add_css_class(backdrop, "calotype-backdrop")
            gtk_widget_add_css_class(stage.widget, "calotype-stage")
            gtk_overlay_set_child(widget.opaque, backdrop)
            let image: Widget = gtk_overlay_new()
            gtk_overlay_set_child(image.opaque, stage.widget)
            for control in controls.widgets { gtk_overlay_add_overlay(image.opaque, control) }
            details.setImage(image)
            details.onClose = { [weak self] in self?.showDetails(false) }
            for part in [bar.widget, details.widget] { gtk_box_append(content.box, part) }
            gtk_overlay_add_overlay(widget.opaque, content)
            gtk_overlay_set_measure_overlay(widget.opaque, content, 1)
            calotype_set_accessible_label(stage.widget, ViewerTexts.canvas)
        }
    }

    // MARK: The shown image

    extension Viewer {
        package var index: Int { shown?.position ?? 0 }

        func show(_ position: Int) {
            guard model.items.indices.contains(position) else { return }
            let item = model.items[position]
            finding?.cancel()
            reading?.cancel()
            reading = nil
            shown = Shown(position: position, item: item, tile: host?.tileRequest(at: position))
            zoom.begin()
            start(item)
            growNearEnd(position)
            update()
            host?.viewerMoved(to: position)
        }

        func go(to position: Int) {
            if position != shown?.position { show(position) }
        }

        /// Shows the last image, as soon as the rest of the list has been read.
        func goToEnd() {
            ending = Task { [weak self, model] in
                await model.loadMore { !Task.isCancelled }
                if !Task.isCancelled { self?.go(to: model.items.count - 1) }
            }
        }

        /// Stays, although the user was on the way to the end.
        func endWayToEnd() {
            ending?.cancel()
            ending = nil
        }

        package func close() {
            guard let shown, motion?.motion.isClosing != true else { return }
            guard shown.isVisible, calotype_allows_animations() != 0, let tile = host?.tileFrame(at: shown.position)
            else { return leave() }
            move(tile, isClosing: true)
        }

        /// Follows the image to its new position in the list, or returns to the grid if the list no longer contains it.
        package func listChanged() {
            guard let shown else { return }
            guard let position = model.items.firstIndex(where: { $0.id == shown.item.id }) else { return leave() }
            if position != shown.position { return show(position) }
            update()
        }

        private func leave() {
            neighbours.leave()
            endWayToEnd()
            motion = nil
            host?.closeViewer()
        }

        /// Requests the image. If the item has a large image, requests its address first.
        private func start(_ item: GalleryItem) {
            guard item.findLarge != nil else {
                shown?.request = item.tileRequest(policy: model.policy)
                return present()
            }
            // The tile's image is shown until the address of the large image is known.
            stage.picture.show(shown?.tile, label: item.name)
            take(stage.picture.state)
            finding = Task { [weak self, policy = model.policy] in
                guard let request = await item.largeRequest(policy: policy), !Task.isCancelled else { return }
                self?.shown?.request = request
                self?.present()
            }
        }

        private func growNearEnd(_ position: Int) {
            guard growing == nil, position + 3 >= model.items.count else { return }
            growing = Task { [weak self, model] in
                await model.loadMore()
                self?.growing = nil
                self?.update()
            }
        }
    }

    // MARK: Opening and closing

    extension Viewer {
        private func move(_ tile: CGRect, isClosing: Bool) {
            guard calotype_allows_animations() != 0 else { return }
            motion = (OpeningMotion(tile: tile, isClosing: isClosing), .zero)
            setOpenness(isClosing ? 1 : 0)
            FrameTicks.run(on: widget) { [weak self] in self?.tick($0) ?? false }
        }

        /// Advances the motion. Returns `true` if it continues.
        private func tick(_ elapsed: Duration) -> Bool {
            guard let (motion, _) = motion else { return false }
            stage.placeAgain()
            guard motion.isOver(at: elapsed) else {
                self.motion?.elapsed = elapsed
                setOpenness(motion.openness(at: elapsed))
                return true
            }
            self.motion = nil
            setOpenness(1)
            if motion.isClosing { leave() }
            return false
        }

        private func setOpenness(_ openness: Double) {
            for part in [backdrop, bar.widget, details.panel] + controls.widgets {
                gtk_widget_set_opacity(part, openness)
            }
        }

        /// Returns the frame of the image on a canvas of this size; `nil` stands for the whole canvas. GTK calls this
        /// in its layout.
        private func place(on canvas: CGSize) -> CGRect? {
            if zoom.canvas != canvas {
                zoom.canvas = canvas
                // Runs later in the same frame, because a layout must not start another layout.
                AfterLayout.call(for: stage.widget) { [weak self] in
                    self?.fitBar()
                    self?.present()
                }
            }
            guard shown?.isVisible == true else { return nil }
            guard let motion else { return zoom.frame }
            return motion.motion.frame(at: motion.elapsed, to: zoom.frame, over: offset)
        }

        /// Adapts the bar to the parent's width: unlike the viewer, the parent is never wider than the window.
        private func fitBar() {
            guard let layers = gtk_widget_get_parent(widget) else { return }
            let isNarrow = gtk_widget_get_width(layers) < 520
            guard bar.isNarrow != isNarrow else { return }
            bar.isNarrow = isNarrow
            host?.viewerChangedWidth()
        }

        /// Whether the window is too narrow for the whole bar.
        var isNarrow: Bool { bar.isNarrow }

        /// The offset from the viewer's coordinates to those of the canvas.
        private var offset: CGPoint {
            var (x, y) = (0.0, 0.0)
            gtk_widget_translate_coordinates(widget, stage.widget, 0, 0, &x, &y)
            return CGPoint(x: x, y: y)
        }
    }
#endif
