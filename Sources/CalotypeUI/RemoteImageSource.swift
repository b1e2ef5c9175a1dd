public import Calotype
import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What a view may be given: an address, a request, or all that there is to say about a picture.
public protocol RemoteImageSource: Sendable {
    var imageRequest: ImageRequest { get }
}

extension URL: RemoteImageSource {
    public var imageRequest: ImageRequest { ImageRequest(self) }
}

extension URLRequest: RemoteImageSource {
    public var imageRequest: ImageRequest { ImageRequest(self) }
}

extension ImageRequest: RemoteImageSource {
    public var imageRequest: ImageRequest { self }
}
