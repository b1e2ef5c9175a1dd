import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation

@testable import CalotypeServer
@testable import CalotypeURLs

/// A server that loads sources below /images of an origin.
final class WebServer: Sendable {
    let origin: OriginServer
    let server: TestServer

    /// - Parameter isStored: Whether results and sources are kept on disk. The default is `false`.
    init(
        isStored: Bool = false, _ change: (inout ServerSetup, OriginServer) throws -> Void = { _, _ in }
    ) throws {
        let origin = try OriginServer()
        self.origin = origin
        server = try TestServer {
            try $0.allowed.allow(ByteString("\(origin.url.absoluteString)/images"))
            if isStored { $0.store = "\($0.root)-store" }
            try change(&$0, origin)
        }
    }

    var clock: ManualClock { server.clock }
    var work: RenditionWork { server.server.renditions.work }

    /// Returns a reply with an image of 640 × 480 pixels.
    static func reply(
        _ cacheControl: String? = "max-age=100", tag: String? = "\"v1\"", seed: Int = 1
    ) -> OriginReply {
        var reply = OriginReply.ok(SamplePhotos.jpeg(width: 640, height: 480, seed: seed))
        reply.fields["Cache-Control"] = cacheControl.map { ByteString($0) }
        reply.fields["ETag"] = tag.map { ByteString($0) }
        return reply
    }

    /// A reply that confirms the image of ``reply(_:tag:seed:)``.
    static let confirmation = OriginReply(status: 304, fields: ["ETag": "\"v1\"", "Cache-Control": "max-age=100"])

    /// Replies to requests for /images/a.jpg with an image, and with a 304 to those with a condition.
    func serveRevalidatable(_ first: OriginReply = reply(), _ confirmed: OriginReply = confirmation) {
        origin.on("/images/a.jpg") { $0.fields["If-None-Match"] == nil ? first : confirmed }
    }

    func thumbnail(_ path: String = "/images/a.jpg", width: Int = 64) -> ByteString {
        let url = ByteString("\(origin.url.absoluteString)\(path)")
        return "/_/w:\(width)/f:png/\(ByteString(base64: url.bytes))"
    }

    func get(
        _ path: String = "/images/a.jpg", width: Int = 64, _ fields: HTTPFields = [:]
    ) async throws -> TestServer.Answer {
        try await server.get(thumbnail(path, width: width), fields)
    }
}
