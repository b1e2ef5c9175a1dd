package import CalotypeHTTP

extension Transport {
    /// Gives responses with a status below 400 a lifetime in seconds, from their arrival, in place of their own
    /// freshness information. Error responses keep theirs. Apply it below an HTTP cache.
    package func overridingFreshness(_ seconds: Int) -> some Transport {
        FreshnessOverride(base: self, seconds: seconds)
    }
}

private struct FreshnessOverride<Base: Transport>: Transport {
    let base: Base
    let seconds: Int

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var response = try await base.send(request)
        guard response.status < 400 else { return response }
        // Without Age and Date, the lifetime begins at the response's arrival.
        for name: CaselessString in ["CDN-Cache-Control", "Expires", "Pragma", "Age", "Date"] {
            response.fields[name] = nil
        }
        response.fields["Cache-Control"] = "public, max-age=\(seconds)"
        return response
    }
}
