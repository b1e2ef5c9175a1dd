#if GTK
    public import CalotypeUI

    /// How a picture stands in its place.
    public struct PictureStyle: Hashable, Sendable {
        /// The way to handle an image whose shape differs from its place. Values may be added.
        public struct Fit: Hashable, Sendable {
            private let tag: UInt8

            /// The whole picture, with margins.
            public static let contain = Fit(tag: 0)
            /// The whole place, with the picture's edges cut off.
            public static let cover = Fit(tag: 1)
        }

        /// How the image fills its place. The default is `contain`.
        public var fit: Fit
        /// Height by width that the widget asks for. If `nil` (the default), the widget takes all the room that there is.
        public var ratio: Double?
        /// A Boolean value indicating whether a spinner turns, and a bar shows how far the download is. On by default.
        public var showsProgress: Bool
        /// A Boolean value indicating whether a request without a size gets that of the place, in pixels of the screen.
        /// On by default.
        public var sizesToPlace: Bool
        /// How an animation plays. If `nil` (the default), as `RemoteImageOptions.plays` says.
        public var plays: AnimationPlayback?

        /// The least width and height that the widget asks for, in points. The default is 48.
        public var leastSide = 48

        /// A Boolean value indicating whether an image that was not in memory fades in, where the desktop's settings allow animations. The default is
        /// `true`.
        public var fadesIn = true

        /// Creates a style; what is left out has the default that its property documents.
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
