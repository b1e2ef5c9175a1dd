import CalotypeBase
public import CalotypeHTTP

// URLSessionConfiguration is Foundation's own on Apple's platforms.
#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// HTTP by Foundation's `URLSession`: the choice on Apple's platforms, where it knows the system's proxies,
/// certificates and power. On Linux `CurlTransport` is many times faster.
///
/// It caches nothing, follows no redirect and keeps no cookie. Of the timeouts it knows all but the one for connecting, and of
/// a header that comes in several lines only what Foundation makes of them. `rawTarget` is refused.
///
/// A reader that does not read holds the transfer up on Apple's platforms only. On Linux what comes is kept, up to
/// `HTTPBody.standardLimit`; then the transfer ends with `bodyTooLarge`.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// - Parameters:
    ///   - connectionsPerHost: 6 by default.
    ///   - configure: a last word on the configuration, such as proxies or protocol classes.
    public init(connectionsPerHost: Int = 6, configure: (URLSessionConfiguration) -> Void = { _ in }) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = max(connectionsPerHost, 1)
        configure(configuration)
        delegate = SessionDelegate()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        _ = try HTTPOrigin(request.url)
        try request.validate()
        guard request.rawTarget == nil else {
            throw TransportError(.malformedRequest, "URLSession cannot send a raw request target")
        }
        guard request.upload == nil else {
            throw TransportError(.malformedRequest, "URLSession cannot send a body as it comes")
        }
        let task = session.dataTask(with: URLRequest(request))
        let exchange = SessionExchange(task, request.timeouts)
        delegate.add(exchange)
        return try await exchange.response(to: request, keeping: self)
    }
}

extension URLRequest {
    fileprivate init(_ request: HTTPRequest) {
        self.init(url: request.url)
        httpMethod = request.method.rawValue.string
        httpBody = request.body
        httpShouldHandleCookies = false
        timeoutInterval = request.timeouts.idle.seconds
        #if !canImport(FoundationNetworking)
            allowsConstrainedNetworkAccess = request.allowsConstrainedNetwork
        #endif
        for field in request.fields { addValue(field.value.string, forHTTPHeaderField: field.name.string) }
        if request.fields["Accept-Encoding"] == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

extension URLSession {
    /// Foundation on Linux may start a task that was suspended again from the beginning, into the same body: two bodies
    /// in one, without an error.
    static var canPause: Bool {
        #if canImport(FoundationNetworking)
            false
        #else
            true
        #endif
    }
}
