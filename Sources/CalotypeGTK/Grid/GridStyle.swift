#if GTK
    /// The look of a grid. Lengths are in points.
    public struct GridStyle: Hashable, Sendable {
        /// The loading indicator of a tile. Values may be added.
        public struct Loading: Hashable, Sendable {
            private let tag: UInt8

            /// A spinner, and a bar that shows the progress of the download.
            public static let spinner = Loading(tag: 0)
            /// A faint light that moves over the tile until a preview or the image is visible.
            public static let shimmer = Loading(tag: 1)
        }

        /// The space between two tiles. The default is 1.
        public var spacing = 1
        /// The space around all tiles. The default is 0.
        public var margin = 0
        /// The minimum width of a tile: the grid has fewer columns if tiles would be narrower. The default is 0.
        public var leastTileWidth = 0
        /// The corner radius of each tile. The default is 0.
        public var cornerRadius = 0
        /// The loading indicator of a tile. The default is ``Loading/spinner``.
        public var loading = Loading.spinner
        /// Whether the bottom of a tile shows the image's label while the pointer is on the tile or the keyboard has
        /// selected it. The default is `false`.
        public var showsCaptions = false

        /// Creates a style with the documented defaults.
        public init() {}
    }
#endif
