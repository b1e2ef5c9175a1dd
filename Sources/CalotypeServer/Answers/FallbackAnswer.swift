import CalotypeHTTP

/// The status and the lifetime of answers with a fallback image, if they differ from those of the failure.
package struct FallbackAnswer: Hashable, Sendable {
    /// The status; `nil` (the default) for that of the failure.
    package var status: Int?
    /// The lifetime, in seconds; `nil` (the default) for that of the failure.
    package var lifetime: Int?

    /// Changes a response with a fallback image, or with facts about it, on its way to the client: behind the cache of results, which prefers a
    /// stale result to a failure.
    func apply(to response: inout HTTPResponse) {
        let type = response.fields["Content-Type"] ?? ""
        guard response.status >= 400, type.hasPrefix("image/") || type == FactsMaking.mediaType else { return }
        response.status = status ?? response.status
        if let lifetime { response.fields["Cache-Control"] = "public, max-age=\(lifetime)" }
    }
}
