public import CalotypeHTTP
public import Foundation
public import ResourceProvider

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Where the bytes of a picture come from: a URL, a request with headers, or anything else that has an identifier.
public struct ImageSource: Sendable {
    enum Kind: Sendable {
        case http(HTTPRequest)
        case nowhere
        case custom(id: String, @Sendable () async throws -> Data)
    }

    let kind: Kind

    /// A GET of `url`. The schemes `http`, `https`, `file` and `data` are known to the standard transport.
    public static func url(_ url: URL) -> ImageSource {
        ImageSource(kind: .http(HTTPRequest(url)))
    }

    /// The request as it is: method, header fields and body. A request without a URL fails with `invalidURL`.
    public static func request(_ request: URLRequest) -> ImageSource {
        ImageSource(kind: HTTPRequest(request).map { .http($0) } ?? .nowhere)
    }

    public static func request(_ request: HTTPRequest) -> ImageSource {
        ImageSource(kind: .http(request))
    }

    /// Bytes from elsewhere: a photo library, a database, an archive.
    ///
    /// - Parameters:
    ///   - id: what tells these bytes from others; equal ids are loaded once and share their place in the caches.
    ///   - fetch: gets them. What it throws arrives as `sourceFailed`.
    public static func custom(id: String, fetch: @escaping @Sendable () async throws -> Data) -> ImageSource {
        ImageSource(kind: .custom(id: id, fetch))
    }

    /// Bytes from a provider of the algebra.
    public static func provider<ID: Hashable & Sendable, Failure: Error>(
        _ provider: some AsyncProvider<ID, Data, Failure>, id: ID
    ) -> ImageSource {
        custom(id: "\(ID.self):\(id)") { try await provider.value(for: id) }
    }

    /// The URL asked for; nil for a custom source.
    public var url: URL? {
        guard case .http(let request) = kind else { return nil }
        return request.url
    }

    /// What is asked over the web; nil for files, data and custom sources.
    var web: HTTPRequest? {
        guard case .http(let request) = kind, request.isWeb else { return nil }
        return request
    }

    /// The header fields of what is asked by URL; nil for a custom source.
    var fields: HTTPFields? {
        guard case .http(let request) = kind else { return nil }
        return request.fields
    }

    var isCustom: Bool {
        if case .custom = kind { true } else { false }
    }
}

extension HTTPRequest {
    /// The same, known to the cache by the caller's own key, if there is one.
    func named(_ cacheKey: String?) -> HTTPRequest {
        var named = self
        named.cacheKey = cacheKey
        return named
    }

    /// A `URLRequest` in this library's terms; nil where it has no URL.
    ///
    /// Its timeout is the idle timeout here, unless it is 60 s: that is the default there, which nobody chose.
    public init?(_ request: URLRequest) {
        guard let url = request.url else { return nil }
        self.init(url, method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), body: request.httpBody)
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            fields.append(value, to: name)
        }
        if request.timeoutInterval != 60 { timeouts.idle = .seconds(request.timeoutInterval) }
    }
}
