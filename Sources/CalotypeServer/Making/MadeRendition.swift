import CalotypeBase
import Foundation

/// Who asks for a rendition, and until when it is of use.
struct RenditionTerms: Sendable {
    let asker: RenditionAsker
    let time: RenditionTime
}

/// A rendition, or the confirmation that the cached copy is still valid.
struct MadeRendition: Sendable {
    struct File: Sendable {
        let data: Data
        let mediaType: ByteString
        var source: SourceFacts?
        /// The size that the URL wants the file to have at most, in bytes; 0 for no limit.
        var limit = 0
        /// The bitmap from which the file was drawn, unless it is the one that the rendition has alone.
        var route: DecodeRoute?

        /// The reason why the file is larger than its URL wants; `nil` if it is not.
        var excess: String? {
            limit > 0 && data.count > limit
                ? "no quality has at most the \(limit) bytes of max_bytes: the file has \(data.count)" : nil
        }
    }

    var tag: ByteString
    let lifetime: RenditionLifetime
    /// The value of Cache-Status from the cache of sources, or `nil` if the source did not come through that cache.
    let sourceStatus: ByteString?
    /// The file, or `nil` if ``tag`` is that of the cached copy.
    var file: File?
    /// The reason why the file shows the fallback image, or `nil` if it shows the source.
    var failure: ServerError?
}
