import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

extension TestServer {
    /// A server with a port for imaginary's requests.
    ///
    /// - Parameter key: Its key; `nil` for none.
    static func forImaginary(
        key: ByteString? = nil, _ change: (inout ServerSetup) throws -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer { setup in
            var options = ImaginaryOptions(Listener.Options())
            options.key = key.flatMap { ClientToken($0) }
            setup.options.imaginary = options
            try change(&setup)
        }
    }

    /// Sends a request to the port for imaginary's requests.
    ///
    /// - Parameter body: The image; `nil` for a request without a body.
    func imaginary(
        _ target: ByteString, _ body: Data?, method: HTTPMethod = .post, _ fields: HTTPFields = [:]
    ) async throws -> Answer {
        var request = HTTPRequest(try #require(server.imaginaryURL), method: method, fields: fields)
        request.rawTarget = target
        if let body { request.body = body }
        return try await send(request)
    }

    /// Sends operations in JSON as PHP's `http_build_query` and Guzzle do, with the type of the image.
    func pipeline(
        _ operations: ByteString, _ body: Data, type: ByteString = "image/jpeg", key: ByteString = ""
    ) async throws -> Answer {
        let query: ByteString = "operations=\(operations.percentEncoded { $0.isUnreserved })&key=\(key)"
        return try await imaginary(
            "/pipeline?\(query)", body, ["Content-Type": type, "User-Agent": "Nextcloud Server"])
    }

    /// Whether nothing of a request is left.
    var isIdle: Bool {
        server.imaginary?.uploads.count == 0 && server.sources.held.bytes == 0 && server.reservedBytes == 0
    }
}

extension TestServer.Answer {
    private struct Failure: Decodable {
        let message: String
        let status: Int
    }

    /// The message of a failure in imaginary's form; `nil` if the body has another form or status.
    var failure: String? {
        guard fields["Content-Type"] == "application/json",
            let failure = try? JSONDecoder().decode(Failure.self, from: body), failure.status == status
        else { return nil }
        return failure.message
    }
}
