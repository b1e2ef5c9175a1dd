import CalotypeBase
import CalotypeHTTP
import Foundation

/// A transport for `data:` URLs (RFC 2397): a 200 with the content as body and the media type as `Content-Type`. Base64
/// may lack padding and contain white space, percent-encoded or not. Any other defect fails with `malformedURL`.
struct DataURLTransport: Transport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let (type, content) = try DataURL.parse(request.url.absoluteString)
        let fields: HTTPFields = ["Content-Type": type, "Content-Length": "\(content.count)"]
        let body = request.method == .head ? Data() : content
        return HTTPResponse(url: request.url, status: 200, fields: fields, version: "", body: HTTPBody(body))
    }
}

enum DataURL {
    static func parse(_ url: String) throws(TransportError) -> (type: ByteString, content: Data) {
        let parts = ByteString(url).split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, CaselessString(parts[0]) == "data" else {
            throw .unsupportedScheme(parts[0].string)
        }
        // A fragment is not part of the data (RFC 3986 §3.5).
        let resource = parts[1].bytes.prefix { $0 != UInt8(ascii: "#") }
        guard let comma = resource.firstIndex(of: UInt8(ascii: ",")) else {
            throw TransportError(.malformedURL, "the data: URL has no comma")
        }
        let (type, isBase64) = mediaType(resource[..<comma])
        guard let bytes = resource[comma...].dropFirst().percentDecoded else {
            throw TransportError(.malformedURL, "the data: URL has a \"%\" without two hexadecimal digits")
        }
        return (type, isBase64 ? try base64Decoded(bytes) : Data(bytes))
    }

    private static func mediaType(_ text: ArraySlice<UInt8>) -> (type: ByteString, isBase64: Bool) {
        let decoded = text.percentDecoded ?? Array(text)
        var words = ByteString(bytes: decoded).split(separator: UInt8(ascii: ";"))
        let isBase64 = words.count > 1 && words.last.map { CaselessString($0.trimmed) } == "base64"
        if isBase64 { words.removeLast() }
        let type = words.joined(separator: ";")
        if type.hasPrefix(";") { return ("text/plain\(type)", isBase64) }
        return (type.isEmpty ? "text/plain;charset=US-ASCII" : type, isBase64)
    }

    private static func base64Decoded(_ bytes: [UInt8]) throws(TransportError) -> Data {
        var symbols = bytes.filter { ![0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        if [2, 3].contains(symbols.count % 4), symbols.last != UInt8(ascii: "=") {
            symbols += [UInt8](repeating: UInt8(ascii: "="), count: 4 - symbols.count % 4)
        }
        guard let content = Data(base64Encoded: Data(symbols)) else {
            throw TransportError(.malformedURL, "the data: URL's base64 is damaged")
        }
        return content
    }
}
