import CalotypeHTTP

/// The status and the lifetime of answers with a fallback image, if they differ from those of the failure.
package struct FallbackAnswer: Hashable, Sendable {
    /// The status; `nil` (the default) for that of the failure.
    package var status: Int?
    /// The lifetime, in seconds; `nil` (the default) for that of the failure.
    package var lifetime: Int?

    /// Changes a response with a fallback image on its way to the client: behind the cache of results, which prefers a
    /// stale result to a failure.
    func apply(to response: inout HTTPResponse) {
        guard response.status >= 400, response.fields["Content-Type"]?.hasPrefix("image/") == true else { return }
        response.status = status ?? response.status
        if let lifetime { response.fields["Cache-Control"] = "public, max-age=\(lifetime)" }
    }
}
