import CalotypeBase
public import CalotypeHTTP

// URLSessionConfiguration is a part of Foundation itself on Apple's platforms.
#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A transport for HTTP by Foundation's `URLSession`: the right choice on Apple's platforms, where it uses the system's
/// proxies and certificates and saves power. On Linux, `CurlTransport` is many times faster.
///
/// The transport caches nothing, follows no redirects and keeps no cookies. It supports all timeouts except the one for
/// connecting, joins repeated response fields as Foundation does, and rejects `rawTarget` and uploads.
///
/// A reader that stops reading pauses the transfer on Apple's platforms only. On Linux, received bytes stay in memory
/// up to `HTTPBody.standardLimit`; then the transfer ends with `bodyTooLarge`.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// - Parameters:
    ///   - connectionsPerHost: The maximum number of connections to one host. The default is 6.
    ///   - configure: Called last with the configuration to change it, for example its proxies or protocol classes.
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
            throw TransportError(.malformedRequest, "URLSession cannot send a streaming body")
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
        timeoutInterval = request.timeouts.idle / .seconds(1)
        #if !canImport(FoundationNetworking)
            allowsConstrainedNetworkAccess = request.allowsConstrainedNetwork
        #endif
        for field in request.fields { addValue(field.value.string, forHTTPHeaderField: field.name.string) }
        if request.fields["Accept-Encoding"] == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    }
}

extension URLSession {
    /// Whether tasks can be suspended. Foundation on Linux may restart a suspended task from the beginning, and append
    /// the new body to the old one without an error.
    static var canPause: Bool {
        #if canImport(FoundationNetworking)
            false
        #else
            true
        #endif
    }
}
