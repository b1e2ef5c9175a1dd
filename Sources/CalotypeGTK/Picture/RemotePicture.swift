#if GTK
    import CGTK4
    public import Calotype
    public import CalotypeUI

    /// A widget that shows a remote image, the progress of its download, or a sentence about the failure, with a retry
    /// button if a retry may help (`ImageError.offersRetry`). ``errorView`` replaces the latter two.
    ///
    /// ```swift
    /// let picture = RemotePicture()
    /// gtk_box_append(box, picture.widget)
    /// picture.show(ImageRequest(url), label: "A cat asleep")
    /// ```
    ///
    /// The widget takes all space of its container, and at least 48 points on each side (``PictureStyle/leastSide``);
    /// `hexpand`, `vexpand` and a size request of the widget change that. It loads while it is mapped, at its size in
    /// pixels of the screen. You may release this object after `show`: the load belongs to the widget.
    @MainActor
    public final class RemotePicture {
        private let reference: ObjectReference
        package let view: PictureView

        /// Creates an empty widget.
        ///
        /// - Parameter options: The options of the image. If `nil` (the default), the standard options, with the loader
        ///   of the nearest ancestor widget that has one: see `imageLoader` of a widget.
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

        /// The widget to add to a window.
        public var widget: Widget { view.widget }

        /// A widget that fills the space until the image arrives, behind the spinner. The default is `nil`.
        ///
        /// This widget then owns the placeholder, and hides it while an error is shown.
        public var placeholder: Widget? {
            get { view.placeholder }
            set { view.placeholder = newValue }
        }

        /// Makes the widget that fills the space after a failure, in place of the sentence and the retry button. The default
        /// is `nil`.
        ///
        /// ```swift
        /// picture.errorView = { error in gtk_label_new(error.localizedDescription) }
        /// ```
        ///
        /// Called for each failure that is shown. This widget then owns the new one, and removes it when the failure is no
        /// longer shown. A retry button in it calls ``retry()``; capture this object weakly there.
        public var errorView: (@MainActor (ImageError) -> Widget)? {
            get { view.errorView }
            set { view.errorView = newValue }
        }

        /// The current state.
        public var state: RemoteImageState { view.binder?.state ?? .loading() }

        /// Called with each new state. Capture the widget's owner weakly.
        public var onStateChange: (@MainActor (RemoteImageState) -> Void)? {
            get { view.onStateChange }
            set { view.onStateChange = newValue }
        }

        /// Shows the image of this request or, with `nil`, no image. An image in memory is visible when this returns.
        ///
        /// Showing the same request again does nothing, except after an error or with the policy `revalidate` or
        /// `reloadIgnoringCache`, for example to refresh. The old image stays visible until the new one arrives.
        ///
        /// - Parameters:
        ///   - preview: A request for the same image at another size, to show in the meantime if it is in memory.
        ///   - label: A description of the image, for assistive technologies.
        public func show(_ request: ImageRequest?, preview: ImageRequest? = nil, label: String? = nil) {
            view.show(request, preview: preview, label: label)
        }

        /// Loads again after an error. Does nothing in other states.
        public func retry() { view.retry() }
    }
#endif
