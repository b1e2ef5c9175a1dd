package import CalotypeHTTP

extension Transport {
    /// Sets fields of each request whose URL begins with a prefix, such as the credentials for an origin.
    ///
    /// Apply it below `followingRedirects()`, so that each redirect's URL is checked and no field reaches another site,
    /// and below an HTTP cache, which then stores the responses as if the requests had no such fields.
    ///
    /// - Parameter rules: Returns the fields for each prefix, at once. Called at the start of each exchange. If several
    ///   rules set one field, the last one applies.
    package func settingFields(
        by rules: @escaping @Sendable () -> [(prefix: URLPrefix, fields: HTTPFields)]
    ) -> some Transport {
        PrefixFieldsTransport(base: self, rules: rules)
    }
}

private struct PrefixFieldsTransport<Base: Transport>: Transport {
    let base: Base
    let rules: @Sendable () -> [(prefix: URLPrefix, fields: HTTPFields)]

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        for rule in rules() where rule.prefix.covers(request.url) {
            for field in rule.fields { request.fields[field.name] = field.value }
        }
        return try await base.send(request)
    }
}
