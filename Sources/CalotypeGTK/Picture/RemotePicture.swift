#if GTK
    import CGTK4
    public import Calotype
    public import CalotypeUI

    /// A widget that shows a remote image, how far its download is, or a sentence that says why there is none, with a
    /// button to try again where that may help (`ImageError.isPermanent`).
    ///
    /// ```swift
    /// let picture = RemotePicture()
    /// gtk_box_append(box, picture.widget)
    /// picture.show(ImageRequest(url), label: "A cat asleep")
    /// ```
    ///
    /// It takes all the room that its container has, and 48 points a side at least (``PictureStyle/leastSide``); `hexpand`,
    /// `vexpand` and a size request of the widget change that. It loads while it is mapped, at the size of its place in
    /// pixels of the screen. The widget does not need this
    /// object: let go of it once it is told what to show, and the load ends with the widget.
    @MainActor
    public final class RemotePicture {
        private let reference: ObjectReference
        package let view: PictureView

        /// Creates a widget that shows nothing yet.
        ///
        /// - Parameter options: If `nil` (the default), the standard options, with the loader of the nearest widget above
        ///   that has one: see `imageLoader` of a widget.
        public init(_ options: RemoteImageOptions? = nil, style: PictureStyle = PictureStyle()) {
            let view = PictureView.make(style)
            view.followsTree = options == nil
            self.view = view
            reference = ObjectReference(adopting: view.widget.raw)
            view.expand(leastSide: style.leastSide)
            var playing = options ?? RemoteImageOptions()
            if let plays = style.plays { playing.plays = plays }
            view.attach(ImageBinder(playing, isOnScreen: false))
            Signal.connect(view.widget.raw, "map") { [weak view] in view?.appear() }
            Signal.connect(view.widget.raw, "unmap") { [weak view] in view?.disappear() }
        }

        /// To be put into a window.
        public var widget: Widget { view.widget }

        /// A widget that fills the place until the image is there, behind the spinner. The default is `nil`.
        ///
        /// It belongs to this widget from then on. An error takes its place.
        public var placeholder: Widget? {
            get { view.placeholder }
            set { view.placeholder = newValue }
        }

        /// The state that is shown now.
        public var state: RemoteImageState { view.binder?.state ?? .loading() }

        /// Told of each new state. Hold the widget's owner weakly in it.
        public var onStateChange: (@MainActor (RemoteImageState) -> Void)? {
            get { view.onStateChange }
            set { view.onStateChange = newValue }
        }

        /// Shows the image of this request from now on; with `nil`, none. In memory, it is there when this returns.
        ///
        /// The request that is shown or in flight already is not started again, except after an error, and except that
        /// a request with the policy `revalidate` or `reloadIgnoringCache` loads again: pull to refresh. The image
        /// stays until the new one arrives.
        ///
        /// - Parameters:
        ///   - preview: what may be shown until then, if it is in memory: the same image at another size.
        ///   - label: what the image shows, for people who cannot see it.
        public func show(_ request: ImageRequest?, preview: ImageRequest? = nil, label: String? = nil) {
            view.show(request, preview: preview, label: label)
        }

        /// Asks again after an error; does nothing in other states.
        public func retry() { view.retry() }
    }
#endif
