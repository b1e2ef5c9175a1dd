public import Calotype
import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The source of a remote image: a URL, a `URLRequest` or an `ImageRequest`.
public protocol RemoteImageSource: Sendable {
    /// The request that loads the image.
    var imageRequest: ImageRequest { get }
}

extension URL: RemoteImageSource {
    /// A request for the image at this URL.
    public var imageRequest: ImageRequest { ImageRequest(self) }
}

extension URLRequest: RemoteImageSource {
    /// A request for the image of this URL request.
    public var imageRequest: ImageRequest { ImageRequest(self) }
}

extension ImageRequest: RemoteImageSource {
    /// The request itself.
    public var imageRequest: ImageRequest { self }
}
