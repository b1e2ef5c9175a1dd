import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeURLs
import Foundation

@testable import CalotypeServer

extension TestServer {
    /// A server that takes images by POST.
    static func forPosts(_ change: (inout ServerSetup) throws -> Void = { _ in }) throws -> TestServer {
        try TestServer { setup in
            setup.post.isOn = true
            try change(&setup)
        }
    }

    /// Sends an image, or another body.
    func post(_ target: ByteString, _ body: Data, _ fields: HTTPFields = [:]) async throws -> Answer {
        var request = HTTPRequest(server.url, method: .post, fields: fields)
        request.rawTarget = target
        request.body = body
        return try await send(request)
    }

    /// Whether nothing of an upload is left.
    var isEmptied: Bool {
        server.uploads.map { $0.count == 0 && $0.spooledBytes == 0 } ?? true
            && server.sources.held.bytes == 0 && server.reservedBytes == 0
    }
}

/// A form as browsers and curl write it.
struct SampleForm {
    let boundary: ByteString = "----form-7MA4YWxkTrZu0gW"
    private var parts: [(head: ByteString, content: Data)] = []

    /// - Parameter fileName: If `nil`, the part is no file.
    func adding(_ name: ByteString, _ content: Data, fileName: ByteString? = nil) -> SampleForm {
        var form = self
        let file: ByteString = fileName.map { "; filename=\"\($0)\"\r\nContent-Type: text/plain" } ?? ""
        form.parts.append(("Content-Disposition: form-data; name=\"\(name)\"\(file)", content))
        return form
    }

    var type: ByteString { "multipart/form-data; boundary=\(boundary)" }

    var body: Data {
        var body = Data()
        for part in parts {
            body += Data("--\(boundary)\r\n\(part.head)\r\n\r\n".utf8) + part.content + Data("\r\n".utf8)
        }
        return body + Data("--\(boundary)--\r\n".utf8)
    }
}

extension TestServer.Answer {
    /// The parts of a form in the body: their heads, and their contents.
    var parts: [(head: String, content: Data)] {
        guard let boundary = fields["Content-Type"]?.split(separator: UInt8(ascii: "=")).last else { return [] }
        let line = Data("--\(boundary)".utf8), blank = Data("\r\n\r\n".utf8)
        var parts: [(String, Data)] = [], rest = body
        while let start = rest.range(of: line) {
            rest = rest[start.upperBound...]
            guard let head = rest.range(of: blank), let end = rest.range(of: Data("\r\n".utf8) + line) else { break }
            parts.append(
                (
                    String(decoding: rest[..<head.lowerBound], as: UTF8.self),
                    Data(rest[head.upperBound..<end.lowerBound])
                ))
            rest = rest[end.lowerBound...]
        }
        return parts
    }
}

extension Data {
    /// Returns this JPEG with an orientation in its EXIF data.
    func turned(_ orientation: UInt8) -> Data {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let start: [UInt8] = [0, 42, 0, 0, 0, 8, 0, 1]
        let block: [UInt8] = Array("Exif\0\0MM".utf8) + start + entry + [0, 0, 0, 0]
        var file = Data(prefix(2))
        file += [0xFF, 0xE1, 0, UInt8(block.count + 2)]
        file += block
        return file + dropFirst(2)
    }

    var pixelSize: PixelSize? { try? DecoderRegistry.standard.header(of: self).uprightSize }
    var imageFormat: ImageFormat? { try? DecoderRegistry.standard.header(of: self).format }
}
