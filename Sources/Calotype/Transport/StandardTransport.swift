import CalotypeHTTP
import CalotypeTransport
import Foundation

/// A transport for `http`, `https`, `file` and `data`, complete with retries, redirects, content decoding and a limit on
/// bodies: what an `ImageLoader` stands on, for requests outside of one.
public enum StandardTransport {
    static func layered(_ exchange: some Transport, _ retry: RetryPolicy, _ bodyLimit: Int) -> any Transport {
        LocalSchemes(
            web: exchange.withStandardLayers(retry: retry, bodyLimit: bodyLimit), bodyLimit: bodyLimit)
    }
}

/// Answers `file:` and `data:` itself, and hands everything else on.
struct LocalSchemes<Web: Transport>: Transport {
    let web: Web
    private let file: any Transport
    private let data = DataURLTransport()

    init(web: Web, bodyLimit: Int) {
        self.web = web
        file = FileTransport().limitingBody(to: bodyLimit)
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        switch request.localScheme {
        case .file?: try await file.send(request)
        case .data?: try await data.send(request)
        case nil: try await web.send(request)
        }
    }
}

enum LocalScheme { case file, data }

extension HTTPRequest {
    var localScheme: LocalScheme? {
        let scheme = url.caselessScheme
        if scheme == "file" { return .file }
        return scheme == "data" ? .data : nil
    }
}
