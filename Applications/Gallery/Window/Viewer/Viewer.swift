#if GTK
    import CAdwaita
    import CGTK4
    import Calotype
    import CalotypeBase
    import CalotypeCodecs
    package import CalotypeGTK
    import CalotypeUI
    import Foundation

    /// One image of a list, as large as the window: zoom, neighbours, details, and what can be done with the image.
    ///
    /// Its widget lies over the window's, as long as an image is shown.
    @MainActor
    package final class Viewer {
        /// The image that is shown.
        struct Shown {
            let position: Int
            let item: GalleryItem
            /// The request of the item's tile, which may be in memory.
            let tile: ImageRequest?
            /// The request for the image, once it is known.
            var request: ImageRequest?
            var rendition: Rendition?
            var facts = ImageFacts()
            /// The image's own size, if the decoded image tells it.
            var size: PixelSize?
            /// The nearest layer that had it.
            var origin: ImageResponse.Origin?
            /// A Boolean value indicating whether there is anything to see of the image.
            var isVisible = false
            /// Where to bring the image to its own size as soon as that is known; `nil` if nobody has asked for it.
            var actualSizePoint: CGPoint?
        }

        /// The layer above the window.
        package let widget: Widget
        private let reference: ObjectReference
        private let backdrop: Widget
        let bar: ViewerBar
        let controls: ViewerControls
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
        private var motion: (motion: OpeningMotion, elapsed: Duration)?
        private var finding: Task<Void, Never>?
        var reading: Task<Void, Never>?
        var acting: Task<Void, Never>?
        private var growing: Task<Void, Never>?
        var pointer: CGPoint?
        var swipe = SwipeMeter()

        /// Opens an address in another application; returns whether one was found.
        var openElsewhere: @MainActor (_ address: String) -> Bool = Viewer.launch

        /// Creates a viewer that shows one image of the host's model.
        ///
        /// - Parameter frame: Where its tile is, in the coordinates of ``widget``: the image grows out of it, if the desktop's
        ///   settings allow animations. If `nil`, the image is simply there.
        package init(host: any ViewerHost, at index: Int, from frame: ViewerFrame?) {
            self.host = host
            model = host.model
            neighbours = NeighbourLoader(host.model.loader)
            ViewerStyle.load()
            let relay = Relay()
            bar = ViewerBar(
                perform: { relay.viewer?.perform($0) }, showDetails: { relay.viewer?.showDetails($0) })
            controls = ViewerControls { relay.viewer?.perform($0) }
            backdrop = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            widget = gtk_overlay_new()
            reference = ObjectReference(adopting: widget.raw)
            relay.viewer = self
            arrange()
            stage.picture.onStateChange = { [weak self] in self?.take($0) }
            listen()
            show(index)
            if let frame, shown != nil { move(CGRect(frame), isClosing: false) }
        }

        deinit { for task in [finding, reading, acting, growing] { task?.cancel() } }

        /// What the buttons call, which are made before the viewer is complete.
        private final class Relay {
            weak var viewer: Viewer?
        }

        private func arrange() {
            gtk_widget_set_focusable(widget, 1)
            gtk_widget_add_css_class(widget, "calotype-viewer")
            gtk_widget_add_css_class(backdrop, "calotype-backdrop")
            gtk_overlay_set_child(widget.opaque, backdrop)
            let image: Widget = gtk_overlay_new()
            gtk_overlay_set_child(image.opaque, stage.widget)
            for control in controls.widgets { gtk_overlay_add_overlay(image.opaque, control) }
            details.setImage(image)
            details.onClose = { [weak self] in self?.showDetails(false) }
            let content: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            for part in [bar.widget, details.widget] { gtk_box_append(content.box, part) }
            gtk_overlay_add_overlay(widget.opaque, content)
            gtk_overlay_set_measure_overlay(widget.opaque, content, 1)
            calotype_set_accessible_label(stage.widget, ViewerTexts.canvas)
        }
    }

    // MARK: Which image

    extension Viewer {
        /// The position in the model's items of the image that is shown.
        package var index: Int { shown?.position ?? 0 }

        /// Shows the image at a position of the list.
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

        /// Goes back to the grid.
        package func close() {
            guard let shown, motion?.motion.isClosing != true else { return }
            guard shown.isVisible, Desktop.allowsAnimations, let tile = host?.tileFrame(at: shown.position) else {
                return leave()
            }
            move(CGRect(tile), isClosing: true)
        }

        /// The list has changed. Goes to the image's new position, or back if the image is gone.
        package func listChanged() {
            guard let shown else { return }
            guard let position = model.items.firstIndex(where: { $0.id == shown.item.id }) else { return leave() }
            if position != shown.position { return show(position) }
            update()
        }

        private func leave() {
            neighbours.leave()
            motion = nil
            host?.closeViewer()
        }

        /// Asks for the image, or first for its address.
        private func start(_ item: GalleryItem) {
            guard item.findLarge != nil else {
                shown?.request = item.tileRequest(policy: model.policy)
                return present()
            }
            // At the tile's own size, until the address of the large image is known.
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
            guard Desktop.allowsAnimations else { return }
            motion = (OpeningMotion(tile: tile, isClosing: isClosing), .zero)
            setOpenness(isClosing ? 1 : 0)
            FrameTicks.run(on: widget) { [weak self] in self?.tick($0) ?? false }
        }

        /// Returns whether the motion goes on.
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

        /// The frame of the image on a canvas of this size. Called while the layout is made.
        private func place(on canvas: CGSize) -> CGRect? {
            if zoom.canvas != canvas {
                zoom.canvas = canvas
                // In the same frame, but not now: the layout must not be changed while it is made.
                AfterLayout.call(for: stage.widget) { [weak self] in
                    self?.fitBar()
                    self?.present()
                }
            }
            guard shown?.isVisible == true else { return nil }
            guard let motion else { return zoom.frame }
            return motion.motion.frame(at: motion.elapsed, to: zoom.frame, over: offset)
        }

        /// The layer that the viewer lies in is never wider than the window; the viewer itself may be.
        private func fitBar() {
            guard let layers = gtk_widget_get_parent(widget) else { return }
            bar.isNarrow = gtk_widget_get_width(layers) < 520
        }

        /// From the viewer's own coordinates to those of the canvas.
        private var offset: CGPoint {
            var (x, y) = (0.0, 0.0)
            gtk_widget_translate_coordinates(widget, stage.widget, 0, 0, &x, &y)
            return CGPoint(x: x, y: y)
        }

        /// A Boolean value indicating whether the image is on its way from or to its tile.
        var isMoving: Bool { motion != nil }
    }

    extension CGRect {
        fileprivate init(_ frame: ViewerFrame) {
            self.init(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
        }
    }
#endif
