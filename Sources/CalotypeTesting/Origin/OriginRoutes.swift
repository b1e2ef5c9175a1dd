import CalotypeBase

/// The replies of an origin server, by path.
struct OriginRoutes {
    enum Route {
        case replies([OriginReply], next: Int)
        case answer(@Sendable (OriginRequest) -> OriginReply)
    }

    enum Decision {
        case reply(OriginReply)
        /// The caller calls the closure outside the lock, because it is user code.
        case ask(@Sendable (OriginRequest) -> OriginReply)
    }

    private var routes: [ByteString: Route] = [:]
    private var fallback: @Sendable (OriginRequest) -> OriginReply = { _ in .status(404) }

    mutating func set(_ route: Route, for path: String) { routes[ByteString(path)] = route }
    mutating func setFallback(_ answer: @escaping @Sendable (OriginRequest) -> OriginReply) { fallback = answer }

    /// Returns the reply to a request. A route for its path and query takes precedence over a route for the path alone.
    mutating func decide(_ request: OriginRequest) -> Decision {
        let target = ByteString(request.target)
        let key = request.query != nil && routes[target] != nil ? target : ByteString(request.path)
        switch routes[key] {
        case nil: return .ask(fallback)
        case .answer(let answer): return .ask(answer)
        case .replies(let replies, let next):
            guard next < replies.count else { return .ask(fallback) }
            if next + 1 < replies.count { routes[key] = .replies(replies, next: next + 1) }
            return .reply(replies[next])
        }
    }
}
