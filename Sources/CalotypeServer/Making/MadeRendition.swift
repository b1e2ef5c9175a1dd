import CalotypeBase
import Foundation

/// Who asks for a rendition, and until when it is of use.
struct RenditionTerms: Sendable {
    /// The network of the client, for its part of the queue.
    let client: ByteString
    let time: RenditionTime
}

/// A rendition, or the confirmation that the cached copy is still valid.
struct MadeRendition: Sendable {
    struct File: Sendable {
        let data: Data
        let mediaType: ByteString
    }

    let tag: ByteString
    let lifetime: RenditionLifetime
    /// The value of Cache-Status from the cache of sources, or `nil` if the source did not come through that cache.
    let sourceStatus: ByteString?
    /// The file, or `nil` if ``tag`` is that of the cached copy.
    var file: File?
    /// The reason why the file shows the fallback image, or `nil` if it shows the source.
    var failure: ServerError?
}
