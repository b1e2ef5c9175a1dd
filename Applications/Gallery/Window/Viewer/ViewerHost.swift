#if GTK
    package import Calotype
    package import Foundation

    /// The window, as far as the viewer uses it.
    @MainActor
    package protocol ViewerHost: AnyObject {
        /// The model with the list of images and their loader.
        var model: GalleryModel { get }
        /// Returns the rectangle of a tile in the viewer's parent, or `nil` if the tile is not on the screen.
        func tileFrame(at index: Int) -> CGRect?
        /// Returns the request of a tile, with its size. The viewer shows the tile's image until the large image
        /// arrives.
        func tileRequest(at index: Int) -> ImageRequest?
        /// Selects the tile of the image that the viewer shows now, scrolls to it, and names the window after it.
        func viewerMoved(to index: Int)
        /// Called when the viewer has become narrow or wide.
        func viewerChangedWidth()
        /// Removes the viewer, and focuses the grid.
        func closeViewer()
        /// Shows a short text at the bottom of the window.
        func showToast(_ text: String)
    }
#endif
