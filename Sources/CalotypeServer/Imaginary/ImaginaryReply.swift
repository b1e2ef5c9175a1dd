import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeListener
import CalotypeURLs
import Foundation

/// Writes responses as imaginary does: files with their size, and JSON. No cache may store them.
struct ImaginaryReply: Sendable {
    private let fields: HTTPFields
    /// Whether the client's Accept may have decided about the format.
    var variesByAccept = false

    /// - Parameter fields: Those of every response to the request.
    init(_ fields: HTTPFields) { self.fields = fields }

    func file(_ file: MadeRendition.File) -> ListenerResponse {
        var own: HTTPFields = ["Content-Type": file.mediaType]
        // The server's own file: nothing of a stranger is read in this process.
        if let size = try? DecoderRegistry.standard.header(of: file.data).uprightSize {
            own["Image-Width"] = "\(size.width)"
            own["Image-Height"] = "\(size.height)"
        }
        return response(200, own, file.data)
    }

    /// Describes an image as `/info` of imaginary does. The size is that of the image as it is stored.
    func description(of header: ImageHeader) -> ListenerResponse {
        let isGray = header.format == .jpeg && header.samplesPerPixel == 1
        let description = Description(
            width: header.width, height: header.height, type: header.format.rawValue, space: isGray ? "b-w" : "srgb",
            hasAlpha: header.hasAlpha, channels: isGray ? 1 : header.hasAlpha ? 4 : 3,
            orientation: header.orientation)
        return json(200, description)
    }

    func health(after uptime: Duration) -> ListenerResponse {
        json(
            200,
            Health(
                uptime: Int((uptime / .seconds(1)).rounded(.down)), cpus: ProcessInfo.processInfo.activeProcessorCount))
    }

    /// - Parameters:
    ///   - path: The path whose method a 405 names; `nil` for other failures.
    ///   - isLast: Whether the body has not been read to its end, so that the connection has to end.
    func failure(_ error: ServerError, at path: ByteString? = nil, isLast: Bool) -> ListenerResponse {
        var response = json(error.status, Failure(message: error.message, status: error.status))
        if error.status == 405 { response.fields["Allow"] = path.flatMap(ImaginaryGrammar.method) }
        if error.status == 401 { response.fields["WWW-Authenticate"] = "API-Key" }
        if [429, 503].contains(error.status) { response.fields["Retry-After"] = "\(error.retryAfter ?? 1)" }
        response.closesConnection = isLast
        return response
    }

    private struct Description: Encodable {
        let width, height: Int
        let type, space: String
        let hasAlpha: Bool
        let channels, orientation: Int
    }

    private struct Health: Encodable {
        let uptime, cpus: Int
    }

    private struct Failure: Encodable {
        let message: String
        let status: Int
    }

    private func json(_ status: Int, _ value: some Encodable) -> ListenerResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers and texts have a form in JSON.
        let body = (try? encoder.encode(value)) ?? Data("{}".utf8)
        return response(status, ["Content-Type": "application/json"], body)
    }

    private func response(_ status: Int, _ own: HTTPFields, _ body: Data) -> ListenerResponse {
        var own = own
        own["Cache-Control"] = "no-store"
        if variesByAccept { own["Vary"] = "Accept" }
        own.protect()
        return ListenerResponse(status: status, fields: own, body: body).adding(fields)
    }
}
