package import Calotype
package import CalotypeCodecs
import Foundation

/// An image of the gallery, in a folder or on a server.
package struct GalleryItem: Identifiable, Sendable {
    package let id: String
    /// The name of the file, or the image's name on the server.
    package let name: String
    /// The address of the file, or of the image that a server offers for tiles; `nil` if the item has no image.
    package let url: URL?
    /// The modification date of the file, if it is known.
    package var date: Date?
    /// The folder of the file, relative to the open folder; empty for the open folder itself. `nil` on a server.
    package var folder: String?
    /// The placeholder that tiles show until a preview or the image arrives.
    package var placeholder: ImagePlaceholder?
    /// Returns the address of the large image. If `nil` (the default), the viewer loads the tile's image.
    package var findLarge: (@Sendable () async -> URL?)?

    /// Returns the request of a tile, without a size; `nil` if there is no image.
    package func tileRequest(policy: CachePolicy? = nil) -> ImageRequest? {
        guard let url else { return nil }
        var request = ImageRequest(source: source(url), policy: policy)
        request.placeholder = placeholder
        return request
    }

    /// Returns the viewer's request, without a size: for the large image or, without a large image, the tile's image.
    package func largeRequest(policy: CachePolicy? = nil) async -> ImageRequest? {
        guard let url = await findLarge?() ?? url else { return nil }
        return ImageRequest(source: source(url), policy: policy)
    }

    private func source(_ url: URL) -> ImageSource { url.isFileURL ? .file(url) : .url(url) }
}
