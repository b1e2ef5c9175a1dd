/// The places where the cache and the plain text of the RFCs differ on purpose. `HTTPCaching.md` has the same list.
enum ModelChoice: String, CaseIterable {
    /// §3: a response that can never be reused may be stored. It is not.
    case neverReusable
    /// §4.1: a response with `Vary: *` may be stored. It is not, because it matches no request.
    case varyAnything
    /// §7.3: a shared cache may store Set-Cookie with heuristic freshness. It does not.
    case cookie
    /// §3.2: the Set-Cookie of a 304 would replace the stored one, and reach all clients of a shared cache. It does not.
    case cookieOfValidation
    /// §3.5: a 304 to a request with Authorization would update what a shared cache has. It answers that client alone.
    case authorizedValidation
    /// §4.3.4: a 304 without the stored validator updates nothing. Here it validates the only candidate.
    case bareValidation
    /// §4.3.4: a 304 to a client's own conditions would update what it names. Without the cache's conditions, it does not.
    case clientsValidation
    /// §5.2.1.5: a request with no-store may be answered from the store. It is not.
    case requestNoStore
    /// §5.2.1.1: a response of this very second satisfies max-age=0. The origin is asked.
    case maxAgeZero
    /// §4.2.3 does not know a clock that is set back. The response is stale then.
    case clockSetBack
}
