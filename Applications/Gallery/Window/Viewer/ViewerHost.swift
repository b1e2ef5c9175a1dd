#if GTK
    package import Calotype

    /// The window, as the viewer sees it.
    @MainActor
    package protocol ViewerHost: AnyObject {
        /// The images, of which the viewer shows one, and their loader.
        var model: GalleryModel { get }
        /// Returns the place of a tile in the layer of the viewer, or `nil` if the tile is not on the screen.
        func tileFrame(at index: Int) -> ViewerFrame?
        /// Returns the request that a tile shows, with its size: a preview of the large image.
        func tileRequest(at index: Int) -> ImageRequest?
        /// The viewer shows another image: its tile is selected and scrolled to.
        func viewerMoved(to index: Int)
        /// Removes the viewer, and gives the grid the focus.
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
