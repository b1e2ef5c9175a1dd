import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeURLs
import Foundation

/// Writes the response to a POST: a file, a list of files, or a failure, as the client accepts them. No cache may store it.
struct PostReply: Sendable {
    private let fields: HTTPFields
    private let acceptsJSON: Bool
    private let acceptsTar: Bool

    /// - Parameter fields: Those of every response to the request.
    init(_ request: ListenerRequest, _ rules: PostRules, _ fields: HTTPFields) {
        var fields = fields
        if !rules.rules.post.origins.isEmpty {
            fields["Vary"] = "Origin"
            if let origin = rules.origin(of: request), rules.permitsOrigin(origin) {
                fields["Access-Control-Allow-Origin"] = origin
            }
        }
        self.fields = fields
        let types = request.fields.values(of: "Accept").flatMap { $0.split(separator: UInt8(ascii: ",")) }
            .map { $0.split(separator: UInt8(ascii: ";"), maxSplits: 1)[0].trimmed.lowercasedASCII }
        (acceptsJSON, acceptsTar) = (types.contains("application/json"), types.contains("application/x-tar"))
    }

    func file(_ file: MadeRendition.File, _ rendition: Rendition, now: Double) -> ListenerResponse {
        var response = HTTPResponse(
            url: RenditionAnswers.url, status: 200, fields: ["Content-Type": file.mediaType], body: HTTPBody(file.data))
        response.complete(for: rendition.request, now: now)
        if file.excess != nil { response.fields["Calotype-Max-Bytes"] = "exceeded" }
        return whole(200, response.fields, file.data)
    }

    /// Writes all results in their order; those that failed as JSON.
    func list(
        _ results: [RenditionMaker.FileResult], _ renditions: [Rendition], now: Double
    ) -> ListenerResponse {
        var parts: [ResultList.Part] = []
        for (index, result) in results.enumerated() {
            let name = ByteString("\(index + 1)")
            switch result {
            case .success(let file):
                let chosen = renditions[index].options.fileName ?? name
                parts.append(.init(name: name, stem: chosen, mediaType: file.mediaType, data: file.data, isFile: true))
            case .failure(let error):
                let json = Self.json(error.ofPost)
                parts.append(.init(name: name, stem: name, mediaType: "application/json", data: json, isFile: false))
            }
        }
        if acceptsTar {
            return whole(200, ["Content-Type": "application/x-tar"], ResultList(parts).tar(at: now))
        }
        let (type, body) = ResultList(parts).form()
        return whole(200, ["Content-Type": type], body)
    }

    /// - Parameter isLast: Whether the body has not been read to its end, so that the connection has to end.
    func failure(_ error: ServerError, isLast: Bool) -> ListenerResponse {
        var response = ListenerResponse(error)
        if acceptsJSON {
            response = ListenerResponse(status: response.status, fields: response.fields, body: Self.json(error))
            response.fields["Content-Type"] = "application/json"
        }
        if error.status == 429 { response.fields["Retry-After"] = "\(error.retryAfter ?? 1)" }
        response.closesConnection = isLast
        return response.adding(fields)
    }

    private func whole(_ status: Int, _ own: HTTPFields, _ body: Data) -> ListenerResponse {
        var own = own
        own["Cache-Control"] = "no-store"
        own.protect()
        let vary = own["Vary"]
        var response = ListenerResponse(status: status, fields: own, body: body).adding(fields)
        if let vary, let other = fields["Vary"] { response.fields["Vary"] = "\(other), \(vary)" }
        return response
    }

    private struct Failure: Encodable {
        let status: Int
        let message: String
    }

    private static func json(_ error: ServerError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A number and a text have a form in JSON.
        return (try? encoder.encode(Failure(status: error.status, message: error.message))) ?? Data("{}".utf8)
    }
}
