import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache

// The header fields of pages: those alone that servers write, because a writer of the bucket could choose any other, and
// it would reach every client. Another list needs another version of pages: servers leave pages of other versions alone.

extension HTTPFields {
    /// The fields of a result, besides those that protect it.
    private static let ofResult: Set<CaselessString> = [
        markName, "Cache-Control", "Cache-Status", "Content-Length", "Content-Type", "Date", "ETag",
    ]

    /// The fields of a source on which its lifetime and its validation depend.
    private static let ofSource: Set<CaselessString> = [
        "Age", "Cache-Control", "CDN-Cache-Control", "Content-Length", "Content-Type", "Date", "ETag", "Expires",
        "Last-Modified", "Vary",
    ]

    private static let mediaTypes: Set<ByteString> = [
        "image/jpeg", "image/png", "image/webp", "image/avif", "image/gif", "image/jxl", FactsMaking.mediaType,
    ]

    private static let protection: HTTPFields = {
        var fields: HTTPFields = [:]
        fields.protect()
        return fields
    }()

    /// Whether the fields are those of a result as servers write it: each once, with the media type of an image or of facts.
    var areOfResult: Bool {
        let others = filter { !Self.protection.contains($0) }
        return others.count + Self.protection.count == count && Set(others.map(\.name)).count == others.count
            && others.allSatisfy { Self.ofResult.contains($0.name) && $0.value.isFieldContent }
            && self["Content-Type"].map(Self.mediaTypes.contains) ?? false
    }

    /// The fields of a source that a page has.
    var ofSource: HTTPFields {
        HTTPFields(filter { Self.ofSource.contains($0.name) && $0.value.isFieldContent })
    }
}
