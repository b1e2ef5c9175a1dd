import CalotypeBase

/// The replies of an origin server, by path.
struct OriginRoutes {
    typealias Answer = @Sendable (OriginRequest) -> OriginReply

    enum Route {
        case replies([OriginReply], next: Int)
        case answer(Answer)
    }

    private var routes: [ByteString: Route] = [:]
    private var fallback: Answer = { _ in .status(404) }

    mutating func set(_ route: Route, for path: String) { routes[ByteString(path)] = route }
    mutating func setFallback(_ answer: @escaping Answer) { fallback = answer }

    /// Returns the closure that replies to a request. Call it outside the lock, because it may be a test's code. A
    /// route for the path and query takes precedence over a route for the path alone.
    mutating func answer(to request: OriginRequest) -> Answer {
        let target = ByteString(request.target)
        let key = request.query != nil && routes[target] != nil ? target : ByteString(request.path)
        switch routes[key] {
        case nil: return fallback
        case .answer(let answer): return answer
        case .replies(let replies, let next):
            guard next < replies.count else { return fallback }
            if next + 1 < replies.count { routes[key] = .replies(replies, next: next + 1) }
            return { _ in replies[next] }
        }
    }
}
