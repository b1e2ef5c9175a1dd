package import CalotypeHTTP

extension CacheRules {
    /// Returns the outcome for an answer from the network that no cache keeps: how long its receiver may use it.
    package func outcome(
        of response: HTTPResponse, to request: HTTPRequest, requestTime: Double, responseTime: Double
    ) -> CacheOutcome {
        let fields = response.fields
        guard fields.contains(where: { saysSomething($0.name) }) else { return CacheOutcome(source: .network) }
        let head = StoredResponse(
            url: "", method: request.method, status: response.status, fields: fields, requestTime: requestTime,
            responseTime: responseTime, varying: [], bodyLength: 0, part: nil)
        let freshness = freshness(of: head, now: responseTime)
        let isForbidden = directives(of: head).forbidStoring(response.status)
        let freshUntil = freshness.needsValidation || isForbidden ? nil : responseTime + freshness.ttl
        return CacheOutcome(
            source: .network, age: freshness.age, validator: fields["ETag"] ?? fields["Last-Modified"],
            freshUntil: freshUntil,
            usableWhileRevalidatingUntil: freshUntil.map { $0 + freshness.staleWhileRevalidate },
            isExplicit: freshness.isExplicit || isForbidden)
    }

    private func saysSomething(_ name: CaselessString) -> Bool {
        ["Cache-Control", "CDN-Cache-Control", "Expires", "Last-Modified", "ETag"].contains(name)
    }
}
