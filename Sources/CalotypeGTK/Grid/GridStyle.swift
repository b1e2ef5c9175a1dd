#if GTK
    /// The look of a grid. Lengths are in points.
    public struct GridStyle: Hashable, Sendable {
        /// The sign that a tile shows while its image loads. Values may be added.
        public struct Loading: Hashable, Sendable {
            private let tag: UInt8

            /// A spinner, and a bar that shows the progress of the download.
            public static let spinner = Loading(tag: 0)
            /// A faint light that moves over the tile, as long as there is no preview.
            public static let shimmer = Loading(tag: 1)
        }

        /// The space between two tiles. The default is 1.
        public var spacing = 1
        /// The space around all tiles. The default is 0.
        public var margin = 0
        /// The least width of a tile: where tiles would be narrower, there are fewer columns. The default is 0.
        public var leastTileWidth = 0
        /// The radius of the corners of each tile. The default is 0.
        public var cornerRadius = 0
        /// The sign that a tile shows while its image loads. The default is ``Loading/spinner``.
        public var loading = Loading.spinner
        /// A Boolean value indicating whether the label of an image is shown at the bottom of its tile while the pointer is on it, or the keyboard has selected it.
        /// The default is `false`.
        public var showsCaptions = false

        /// Creates a style with the defaults that each property documents.
        public init() {}
    }
#endif
