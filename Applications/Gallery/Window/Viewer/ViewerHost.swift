#if GTK
    package import Calotype

    /// The window, as the viewer sees it.
    @MainActor
    package protocol ViewerHost: AnyObject {
        /// The images, of which the viewer shows one, and their loader.
        var model: GalleryModel { get }
        /// Returns the rectangle of a tile in the viewer's layer, or `nil` if the tile is not on the screen.
        func tileFrame(at index: Int) -> ViewerFrame?
        /// Returns the request of a tile, with its size: a preview of the large image.
        func tileRequest(at index: Int) -> ImageRequest?
        /// Selects the tile of the image that the viewer shows now, and scrolls to it.
        func viewerMoved(to index: Int)
        /// Removes the viewer, and focuses the grid.
        func closeViewer()
        /// Shows a short text at the bottom of the window.
        func showToast(_ text: String)
    }

    /// A rectangle in points, from the top left corner.
    package struct ViewerFrame: Hashable, Sendable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }
#endif
