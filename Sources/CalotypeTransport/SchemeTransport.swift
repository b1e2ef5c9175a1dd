import CalotypeBase
package import CalotypeHTTP
import Foundation

extension Transport {
    /// Returns a transport that uses this one for http and https, local ones for `file:` and `data:`, and `others` for
    /// other schemes. Files larger than `bodyLimit` bytes fail with `bodyTooLarge`.
    package func besideLocalSchemes(others: some Transport, bodyLimit: Int) -> some Transport {
        SchemeTransport(web: self, others: others, file: FileTransport().limitingBody(to: bodyLimit))
    }
}

private struct SchemeTransport<Web: Transport, Others: Transport, File: Transport>: Transport {
    let web: Web
    let others: Others
    let file: File

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        switch request.scheme {
        case .web: try await web.send(request)
        case .file: try await file.send(request)
        case .data: try await DataURLTransport().send(request)
        case .other: try await others.send(request)
        }
    }
}

extension HTTPRequest {
    package enum Scheme { case web, file, data, other }

    package var scheme: Scheme {
        switch url.caselessScheme {
        case "http", "https": .web
        case "file": .file
        case "data": .data
        default: .other
        }
    }
}
