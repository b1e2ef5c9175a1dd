#if GTK
    public import CalotypeUI

    /// The appearance of a ``RemotePicture``.
    public struct PictureStyle: Hashable, Sendable {
        /// The treatment of an image whose aspect ratio differs from the widget's. Values may be added.
        public struct Fit: Hashable, Sendable {
            private let tag: UInt8

            /// Shows the whole image, with margins.
            public static let contain = Fit(tag: 0)
            /// Fills the whole widget, and crops the image.
            public static let cover = Fit(tag: 1)
        }

        /// How the image fills the widget. The default is `contain`.
        public var fit: Fit
        /// The ratio of height to width that the widget requests. If `nil` (the default), it takes all available space.
        public var ratio: Double?
        /// Whether a spinner and a progress bar are visible during a load. `true` by default.
        public var showsProgress: Bool
        /// Whether a request without a size gets the size of the widget, in pixels of the screen. `true` by default.
        public var sizesToPlace: Bool
        /// How often an animation plays. If `nil` (the default), `RemoteImageOptions.plays` applies.
        public var plays: AnimationPlayback?

        /// The minimum width and height of the widget, in points. The default is 48.
        public var leastSide = 48

        /// Whether an image that was not in memory fades in, if the desktop allows animations. `true` by default.
        public var fadesIn = true

        /// Creates a style with the documented defaults for omitted arguments.
        public init(
            fit: Fit = .contain, ratio: Double? = nil, showsProgress: Bool = true, sizesToPlace: Bool = true,
            plays: AnimationPlayback? = nil
        ) {
            self.fit = fit
            self.ratio = ratio
            self.showsProgress = showsProgress
            self.sizesToPlace = sizesToPlace
            self.plays = plays
        }
    }
#endif
