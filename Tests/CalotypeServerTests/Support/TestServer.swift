import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation

@testable import CalotypeServer

/// A server over a temporary folder.
final class TestServer: Sendable {
    let root: URL
    let server: RenditionServer
    let options: ServerSetup
    let clock = ManualClock()
    private let client: CurlTransport

    init(_ change: (inout ServerSetup) throws -> Void = { _ in }) throws {
        root = FileManager.default.temporaryDirectory.appending(path: "calotype-serve-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root.appending(path: "files"), withIntermediateDirectories: true)
        var options = ServerSetup(root: root.appending(path: "files").path)
        options.wallClock = clock.wall
        try change(&options)
        self.options = options
        server = try RenditionServer(options)
        var clientOptions = CurlTransport.Options()
        clientOptions.addsNothing = true
        clientOptions.connectionsPerHost = 128
        client = CurlTransport(options: clientOptions)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: root)
    }

    var port: Int { server.url.port ?? 0 }

    /// The tasks of an idle server that sleep on its clock: the one that looks for purges.
    static let idleSleepers = 1

    func close() async { await server.close() }

    @discardableResult
    func write(_ data: Data, _ name: String) throws -> URL {
        let file = root.appending(path: "files/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }

    /// A response with its body.
    struct Answer: Sendable {
        let status: Int
        let fields: HTTPFields
        let body: Data

        /// The size of the image in the body.
        var size: PixelSize? { try? DecoderRegistry.standard.header(of: body).uprightSize }
        var format: ImageFormat? { try? DecoderRegistry.standard.header(of: body).format }
        var text: String { String(decoding: body, as: UTF8.self) }

        /// The members of Cache-Status, with the names of their caches.
        var cacheStatus: [(name: String, text: String)] {
            let members = fields["Cache-Status"]?.split(separator: UInt8(ascii: ",")).map(\.trimmed.string) ?? []
            return members.map { (String($0.prefix { $0 != ";" }), $0) }
        }

        /// The outcome in the cache of results: "hit", "stale" while it revalidates, "revalidated" or "made".
        var outcome: String {
            let status = cacheStatus.last { $0.name == "Calotype" }?.text ?? ""
            if status.contains("detail=stale-while-revalidate") { return "stale" }
            return status.contains("hit") ? "hit" : status.contains("fwd-status=304") ? "revalidated" : "made"
        }
    }

    /// - Parameter target: The target of the request line, byte for byte.
    func get(_ target: ByteString, method: HTTPMethod = .get, _ fields: HTTPFields = [:]) async throws -> Answer {
        var request = HTTPRequest(server.url, method: method, fields: fields)
        request.rawTarget = target
        return try await send(request)
    }

    /// Sends a request, perhaps to another server.
    func send(_ request: HTTPRequest) async throws -> Answer {
        var request = request
        // A slow machine may think for longer than a transport waits. The time limit of the test ends what never ends.
        request.timeouts = HTTPRequest.Timeouts(connect: .seconds(600), idle: .seconds(600))
        let response = try await client.send(request)
        return Answer(status: response.status, fields: response.fields, body: try await response.body.collect())
    }
}

/// A folder that lasts as long as its object.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "calotype-serve-store-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension LocalSources {
    /// Finds the file at a path below the root, with the limit of the server alone.
    func find(_ path: ByteString) async throws -> FoundSource {
        try await find(path, SourceName("local:///\(path)"), byteLimit: nil)
    }
}
