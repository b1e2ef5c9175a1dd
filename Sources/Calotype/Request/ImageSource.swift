import CalotypeBase
public import CalotypeHTTP
import CalotypeTransport
public import Foundation
public import ResourceProvider

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The source of an image's bytes: a URL, a request with header fields, a file, or anything else with an identifier.
public struct ImageSource: Sendable {
    enum Kind: Sendable {
        // Indirect, because an HTTP request is large and views copy the image request a dozen times.
        indirect case http(HTTPRequest)
        case nowhere
        case bytes(Data, digest: String)
        case custom(id: String, CustomFetch)
    }

    let kind: Kind
    /// Whether the caller explicitly named a file, instead of passing a URL whose scheme happens to be `file`.
    private(set) var namesFile = false

    /// A GET request. The URL's scheme must be in `ImageLoaderOptions.schemes`: `http`, `https` and `data` by default.
    ///
    /// By default a `file:` URL fails with `unsupportedScheme`, as a URL from elsewhere could name any file: see
    /// ``file(_:)``.
    public static func url(_ url: URL) -> ImageSource {
        ImageSource(kind: .http(HTTPRequest(url)))
    }

    /// The file at a `file:` URL. Never pass a URL that someone else has chosen.
    public static func file(_ url: URL) -> ImageSource {
        ImageSource(kind: .http(HTTPRequest(url)), namesFile: url.isFileURL)
    }

    /// Bytes in memory. Equal bytes share their decoded images. The bytes themselves are never stored on disk.
    ///
    /// Computes a digest of all bytes.
    public static func data(_ data: Data) -> ImageSource {
        ImageSource(kind: .bytes(data, digest: Digest.sha256(data)))
    }

    /// A URL request with its method, header fields and body. A request without a URL fails with `invalidURL`.
    public static func request(_ request: URLRequest) -> ImageSource {
        ImageSource(kind: HTTPRequest(request).map { .http($0) } ?? .nowhere)
    }

    /// An HTTP request of this library.
    public static func request(_ request: HTTPRequest) -> ImageSource {
        ImageSource(kind: .http(request))
    }

    /// Bytes from elsewhere, such as a photo library, a database or an archive.
    ///
    /// - Parameters:
    ///   - id: The identifier of the bytes. Equal identifiers are loaded once and share their cache entries.
    ///   - fetch: Loads the bytes. If it throws, the load fails with `sourceFailed`.
    public static func custom(id: String, fetch: @escaping @Sendable () async throws -> Data) -> ImageSource {
        custom(id: id) { _ in try await fetch() }
    }

    /// Bytes from elsewhere, with the progress of their load.
    ///
    /// ```swift
    /// let source = ImageSource.custom(id: "export 7") { progress in
    ///     progress(LoadProgress(received: 0, expected: 4_000_000))
    ///     return try await library.export(7)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The identifier of the bytes. Equal identifiers are loaded once and share their cache entries.
    ///   - fetch: Loads the bytes. Passes the progress so far to its argument, on any thread; callers get it by
    ///     ``ImageLoader/events(for:)``, ``ImageLoader/data(for:onProgress:)`` and views. If it throws, the load fails with
    ///     `sourceFailed`.
    public static func custom(
        id: String,
        fetch: @escaping @Sendable (_ progress: @escaping @Sendable (LoadProgress) -> Void) async throws -> Data
    ) -> ImageSource {
        ImageSource(kind: .custom(id: id, fetch))
    }

    /// Bytes from an `AsyncProvider`.
    ///
    /// - Parameters:
    ///   - name: The name of the provider: two providers may have different bytes for one identifier. Also part of the
    ///     key on disk, so it has to stay the same from run to run.
    ///   - id: The identifier. Two identifiers differ if their debug descriptions do.
    public static func provider<ID: Hashable & Sendable, Failure: Error>(
        _ provider: some AsyncProvider<ID, Data, Failure>, named name: String, id: ID
    ) -> ImageSource {
        let type = String(reflecting: ID.self)
        return custom(id: "provider \(name.utf8.count) \(name) \(type) \(String(reflecting: id))") {
            try await provider.value(for: id)
        }
    }

    /// The URL of the request, or `nil` for a custom source.
    public var url: URL? { http?.url }

    var http: HTTPRequest? {
        guard case .http(let request) = kind else { return nil }
        return request
    }

    /// The key of the source, for requests without a `cacheKey`.
    var key: String {
        switch kind {
        case .http(let request): request.key(isFile: namesFile)
        case .bytes(_, let digest): "bytes \(digest)"
        case .custom(let id, _): "custom \(id.utf8.count) \(id)"
        case .nowhere: "nowhere"
        }
    }

    /// - Throws: `unsupportedScheme` if `schemes` lacks the URL's scheme, unless the source was made by `file(_:)`.
    func check(schemes: [CaselessString]) throws(ImageError) {
        guard let request = http, !namesFile, let scheme = request.url.caselessScheme else { return }
        guard !schemes.contains(scheme) else { return }
        let message =
            scheme == "file"
            ? #"unsupported URL scheme "file": use ImageSource.file(_:), or add "file" to ImageLoaderOptions.schemes"#
            : #"unsupported URL scheme "\#(scheme.lowercased)" (supported: \#(schemes.map(\.string).joined(separator: ", ")))"#
        throw ImageError(.unsupportedScheme, message, url: request.url)
    }

    /// Returns the source with those of the URL's fields that its request does not set. Changes only requests over the web.
    func adding(_ fields: FieldsOfURL.Source) -> ImageSource {
        guard let request = http, request.scheme == .web else { return self }
        var complete = request
        complete.add(fieldsFrom: fields)
        return ImageSource(kind: .http(complete), namesFile: namesFile)
    }
}

/// Loads the bytes of a custom source, and reports its progress.
typealias CustomFetch = @Sendable (@escaping @Sendable (LoadProgress) -> Void) async throws -> Data

extension HTTPRequest {
    /// Converts a `URLRequest`, or returns `nil` if it has no URL.
    ///
    /// `timeoutInterval` becomes the idle timeout, unless it is 60 s, the default of `URLRequest`.
    public init?(_ request: URLRequest) {
        guard let url = request.url else { return nil }
        self.init(url, method: HTTPMethod(rawValue: ByteString(request.httpMethod ?? "GET")), body: request.httpBody)
        let lines = (request.allHTTPHeaderFields ?? [:]).map { (name: CaselessString($0), value: ByteString($1)) }
        // A dictionary has no order; sorting at least makes it deterministic.
        for line in lines.sorted(by: { $0.name < $1.name }) { fields.append(line.value, to: line.name) }
        if request.timeoutInterval != 60 { timeouts.idle = .seconds(request.timeoutInterval) }
    }
}
