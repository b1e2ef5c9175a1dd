import CalotypeHTTP

extension ServerMetrics.Outcome {
    /// The outcome of a request to which the cache of results has responded.
    ///
    /// - Parameter worked: Whether the result was made or revalidated for this request.
    init(_ response: HTTPResponse, worked: Bool) {
        if response.status >= 400 {
            self = response.status == 403 || response.status == 416 ? .rejected : .failed
            return
        }
        switch response.cacheOutcome?.source {
        case .fresh: self = .hit
        case .stale: self = .stale
        case .revalidated: self = worked ? .revalidated : .coalesced
        case .network, nil: self = worked ? .made : .coalesced
        }
    }

    init(_ error: ServerError) { self = error.isOverload || error.status == 403 ? .rejected : .failed }
}
