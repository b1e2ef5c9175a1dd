#if GTK
    import CGTK4
    import Calotype
    import CalotypeCodecs
    import CalotypeUI

    /// The controller of a widget for a remote image. The widget owns the controller.
    @MainActor
    package final class PictureView {
        enum Page: Hashable, Sendable { case loading, image, error }

        // The widget retains this view, so these pointers are valid for as long as the view exists.
        let widget: Widget
        let picture: Widget
        private let style: PictureStyle
        let layout: FillLayout
        private let behind = FadingPreview()
        private(set) var loadingPage: LoadingPage?
        var errorPage: ErrorPage?
        /// The application's own view of the failure, while it is visible.
        var ownErrorView: Widget?

        /// The binder that loads the view's image. It is replaced when a cell is bound to another item, or when the
        /// loader changes.
        private(set) var binder: ImageBinder?
        /// A request whose size comes from the widget, or `nil` if the request has its own size.
        private var wanted: (request: ImageRequest, preview: ImageRequest?)?
        /// The size of the widget, in pixels of the screen.
        private(set) var place: PixelSize?
        /// The size last requested for ``wanted``, in pixels, or `nil` if it has not been requested yet.
        private var asked: PixelSize?
        /// The widget that is visible until the image arrives, behind the spinner.
        var placeholder: Widget? {
            didSet { placeholderChanged(from: oldValue) }
        }
        /// Makes the application's own view of a failure. If `nil`, the error page is shown.
        var errorView: (@MainActor (ImageError) -> Widget)? {
            didSet { errorViewChanged() }
        }
        /// Whether the view uses the loader of the nearest ancestor widget.
        var followsTree = false
        /// The latest arguments of `show`, which is called again with them after a change of the loader.
        private(set) var shown: (request: ImageRequest?, preview: ImageRequest?, label: String?)?
        /// `true` while a load is running and neither the image nor a preview is visible. Sets a CSS class.
        private var showsLoading = false {
            didSet { if showsLoading != oldValue { widget.setClass("calotype-loading", showsLoading) } }
        }
        /// `true` if the visible image has an alpha channel. Sets a CSS class.
        private var isTransparent = false {
            didSet { if isTransparent != oldValue { widget.setClass("calotype-transparent", isTransparent) } }
        }
        /// Whether the widget shows the binder's current state.
        private var isCurrent = true
        var onStateChange: (@MainActor (RemoteImageState) -> Void)?

        /// Creates a floating widget with its view.
        static func make(
            _ style: PictureStyle, role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_IMG
        ) -> PictureView {
            let view = PictureView(style, role)
            Attachment.set(view, named: "calotype-picture-view", on: view.widget.raw)
            return view
        }

        private init(_ style: PictureStyle, _ role: GtkAccessibleRole) {
            self.style = style
            StyleSheet.load()
            AnimationPermission.isGranted = { calotype_allows_animations() != 0 }
            widget = calotype_box_new(role)
            picture = Self.makePicture(style)
            layout = FillLayout(of: widget, ratio: style.ratio)
            gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
            add(picture)
            layout.onAllocate = { [weak self] in self?.allocated($0, $1) }
        }

        private static func makePicture(_ style: PictureStyle) -> Widget {
            let picture: Widget = calotype_silent_picture_new()
            gtk_picture_set_can_shrink(picture.opaque, 1)
            gtk_picture_set_content_fit(
                picture.opaque, style.fit == .cover ? GTK_CONTENT_FIT_COVER : GTK_CONTENT_FIT_CONTAIN)
            return picture
        }

        /// Switches to another binder. Call ``show(_:preview:label:isRebound:)`` next to show its state.
        ///
        /// Removes the visible image and, if that is still fading in, the preview behind it.
        func attach(_ binder: ImageBinder?) {
            self.binder?.onChange = nil
            self.binder?.onStart = nil
            self.binder?.onFrame = nil
            self.binder = binder
            binder?.onChange = { [weak self] in self?.stateChanged($0) }
            binder?.onFrame = { [weak self] in self?.paintFrame($0) }
            binder?.onStart = { [weak self] in self?.updateProgress() }
            paint(nil)
            hideError()
            loadingPage?.hide()
            showsLoading = false
        }

        /// - Parameter isRebound: `true` if a cell is bound again, which never reloads the visible image.
        func show(
            _ request: ImageRequest?, preview: ImageRequest? = nil, label: String? = nil, isRebound: Bool = false
        ) {
            shown = (request, preview, label)
            calotype_set_accessible_label(widget, label)
            asked = nil
            isCurrent = false
            wanted = nil
            // Set the ancestors' loader now, so that an image in its memory cache appears at once.
            if followsTree, gtk_widget_get_parent(widget) != nil { use(widget.nearestImageLoader, showsAgain: false) }
            // `size == nil` would compare two targets, which takes longer: a list binds thousands of requests.
            if let request, style.sizesToPlace, case .none = request.size {
                wanted = (request, preview)
                resolve(isRebound: isRebound)
            } else if let request {
                start(request, preview: preview, isRebound: isRebound)
            } else {
                binder?.show(nil)
            }
            // A binder whose state has not changed does not call `onChange`.
            if !isCurrent { render(binder?.state ?? .loading()) }
        }

        /// Switches to another loader, if it differs from the current one.
        func use(_ loader: ImageLoader, showsAgain: Bool = true) {
            guard let binder, binder.options.loader !== loader else { return }
            var options = binder.options
            options.loader = loader
            // Ignore further results of the old binder.
            binder.onChange = nil
            binder.show(nil)
            attach(ImageBinder(options, isOnScreen: false))
            if showsAgain, let shown { show(shown.request, preview: shown.preview, label: shown.label) }
        }

        func retry() { binder?.retry() }

        func appear() {
            if followsTree { use(widget.nearestImageLoader) }
            binder?.appear()
            updateProgress()
        }

        func disappear() {
            binder?.disappear()
            updateProgress()
        }

        /// Makes the widget expand. Its minimum size keeps it visible in containers that allocate no more than that.
        func expand(leastSide: Int) {
            layout.leastSide = leastSide
            gtk_widget_set_hexpand(widget, 1)
            gtk_widget_set_vexpand(widget, style.ratio == nil ? 1 : 0)
        }

        /// Sets the size that the next layout will allocate, in pixels of the screen.
        func expect(_ place: PixelSize) { self.place = place }
    }

    // MARK: The size of the widget

    extension PictureView {
        private func allocated(_ width: Int, _ height: Int) {
            // Fit the page later: a layout must not change while it runs.
            if let errorPage, errorPage.needsFitting(width: width, height: height) {
                AfterLayout.call(for: widget) { [weak self] in self?.fitError() }
            }
            let scale = Int(gtk_widget_get_scale_factor(widget))
            let place = PixelSize(width: width * scale, height: height * scale)
            guard place != self.place else { return }
            self.place = place
            if needsAnswer { AfterLayout.call(for: widget) { [weak self] in self?.resolve(isRebound: true) } }
        }

        /// `true` if no size has been requested yet, or the widget has since grown, or shrunk to less than half.
        private var needsAnswer: Bool {
            guard wanted != nil, let place else { return false }
            guard let asked else { return true }
            return place.width > asked.width || place.height > asked.height
                || (2 * place.width < asked.width && 2 * place.height < asked.height)
        }

        private func resolve(isRebound: Bool) {
            guard let wanted, needsAnswer, let place, place.width > 0, place.height > 0 else { return }
            // The image at the old size may stay visible until the image at the new size arrives.
            let preview = asked == nil ? wanted.preview : binder?.request
            asked = place
            var request = wanted.request
            request.size = ResizeTarget(
                width: place.width, height: place.height, mode: style.fit == .cover ? .fill : .fit)
            start(request, preview: preview, isRebound: isRebound)
        }

        private func start(_ request: ImageRequest, preview: ImageRequest?, isRebound: Bool) {
            isCurrent = false
            binder?.set(request, preview: preview, reloads: !isRebound)
            if let binder, !isCurrent { render(binder.state) }
        }
    }

    // MARK: Rendering

    extension PictureView {
        private func stateChanged(_ state: RemoteImageState) {
            render(state)
            onStateChange?(state)
        }

        private func render(_ state: RemoteImageState) {
            isCurrent = true
            switch state {
            case .loading(_, let preview):
                if preview == nil || !isPainted(preview) { paint(preview) }
                hideError()
                updateProgress()
            case .image(let image):
                showsLoading = false
                loadingPage?.hide()
                hideError()
                if !isPainted(image) { paint(image) }
            case .error(let error):
                paint(nil)
                showPlaceholder(false)
                showsLoading = false
                loadingPage?.hide()
                showError(error)
            }
        }

        private func updateProgress() {
            showsLoading = binder?.isLoadingOnScreen == true && gtk_picture_get_paintable(picture.opaque) == nil
            guard case .loading(let progress, _)? = binder?.state, needsProgress(progress) else {
                loadingPage?.hide()
                return
            }
            let page = loadingPage ?? LoadingPage(label: texts.loading)
            if loadingPage == nil { add(page.widget) }
            loadingPage = page
            page.show(progress)
        }

        /// Returns `true` if the view must show progress: it is on screen, its load is running, and either the image is
        /// not visible yet or a newer version of it is being received.
        private func needsProgress(_ progress: LoadProgress?) -> Bool {
            guard style.showsProgress, let binder, binder.isLoadingOnScreen else { return false }
            return !binder.isConfirming || progress != nil
        }

        /// Returns `true` if the image is already visible. Painting it again would restart its fade-in.
        private func isPainted(_ image: LoadedImage?) -> Bool {
            guard let paintable = image?.bitmap.paintable else { return false }
            return gtk_picture_get_paintable(picture.opaque) == paintable.opaque
        }

        private func paint(_ image: LoadedImage?) {
            let fades = image?.wasCached == false && style.fadesIn
            let showsBehind = fades && calotype_allows_animations() != 0
            behind.show(showsBehind ? gtk_picture_get_paintable(picture.opaque) : nil, make: makeBehind)
            // Remove the class first, so that the animation starts again.
            picture.setClass("calotype-appearing", false)
            picture.setClass("calotype-appearing", fades)
            gtk_picture_set_paintable(picture.opaque, image?.bitmap.paintable?.opaque)
            isTransparent = image?.bitmap.hasAlpha == true
            showPlaceholder(image == nil)
        }

        private func makeBehind() -> Widget {
            let behind = Self.makePicture(style)
            gtk_widget_add_css_class(behind, "calotype-page")
            gtk_box_prepend(widget.box, behind)
            layout.fillers += 1
            return behind
        }

        private func paintFrame(_ bitmap: Bitmap) {
            gtk_picture_set_paintable(picture.opaque, bitmap.paintable?.opaque)
        }

        var page: Page {
            if showsError { return .error }
            return gtk_picture_get_paintable(picture.opaque) != nil ? .image : .loading
        }

        private func showPlaceholder(_ shows: Bool) {
            if let placeholder { gtk_widget_set_visible(placeholder, shows ? 1 : 0) }
        }

        /// Counts the children that fill the view: the picture, and the widgets around it.
        func countFillers() {
            layout.fillers = 1 + [placeholder, behind.widget, ownErrorView].count { $0 != nil }
        }

        private func placeholderChanged(from old: Widget?) {
            if let old { gtk_box_remove(widget.box, old) }
            countFillers()
            guard let placeholder else { return }
            gtk_widget_add_css_class(placeholder, "calotype-page")
            gtk_box_prepend(widget.box, placeholder)
            showPlaceholder(page == .loading)
        }

        var texts: RemoteImageTexts { binder?.options.texts ?? RemoteImageTexts() }

        func add(_ child: Widget) {
            gtk_widget_add_css_class(child, "calotype-page")
            gtk_box_append(widget.box, child)
        }
    }

#endif
