import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation

/// An origin on loopback that changes its images, and has URLs that fail in every way. It can die and return.
final class FaultOrigin: Sendable {
    /// The ways to fail, with the statuses of the answers to clients. A source that fails is never a 200.
    static let faults: [(name: String, statuses: Set<Int>)] = [
        ("short", [422, 502]), ("long", [422, 502]), ("cut", [422, 502]), ("reset", [502]), ("html", [422]),
        ("garbage", [422]), ("empty", [422]), ("huge", [422]), ("500", [502]), ("404", [404]), ("429", [503]),
        ("loop", [502]), ("away", [403]),
    ]
    /// The ways to take too long.
    static let delays = ["hang", "drip"]

    let url: String
    private let port: Int
    private let sources: SoakSources
    private let server: Locked<OriginServer>
    private let never = Gate()

    init(_ sources: SoakSources) throws {
        let server = try OriginServer(threads: 2)
        self.sources = sources
        url = server.url.absoluteString
        port = server.url.port ?? 0
        self.server = Locked(server)
        serve(server)
    }

    func stop() { server.withLock { $0 }.stop() }

    /// Listens again, at the port of before.
    func restart() throws {
        let next = try OriginServer(threads: 2, host: "127.0.0.1", port: port)
        serve(next)
        server.withLock { $0 = next }
    }

    private func serve(_ server: OriginServer) {
        server.onAny { [weak self] request in
            guard let self, let made = try? self.reply(to: request) else { return .status(500) }
            return made
        }
    }

    private func reply(to request: OriginRequest) throws -> OriginReply {
        let parts = request.path.split(separator: "/")
        guard parts.count == 3, let number = Int(parts[2].prefix { $0.isNumber }) else { return .status(404) }
        if parts[0] == "img" { return try image(number, request) }
        return try fault(String(parts[1]), number)
    }

    private func image(_ source: Int, _ request: OriginRequest) throws -> OriginReply {
        guard SoakSources.web.contains(source) else { return .status(404) }
        // Sources of all lifetimes; some may be neither kept nor served stale.
        let caching = ["max-age=2", "max-age=30", "max-age=600", "no-cache", "no-store"][source % 5]
        func fields(_ version: Int) -> HTTPFields {
            ["Cache-Control": ByteString(caching), "ETag": "\"\(source)-\(version)\""]
        }
        let current = fields(sources.current(source))
        if request.fields["If-None-Match"] == current["ETag"] { return OriginReply(status: 304, fields: current) }
        let (version, data) = try sources.file(source)
        let reply = OriginReply(fields: fields(version), body: data)
        return source % 7 == 3 ? reply.chunked() : reply
    }

    private func fault(_ name: String, _ number: Int) throws -> OriginReply {
        let data = try sources.file(number % SoakSources.web.count).data
        let whole = OriginReply.ok(data)
        switch name {
        case "redirect": return .redirect(to: SoakSources.path(of: number % SoakSources.web.count))
        case "short": return whole.announcing(contentLength: data.count / 2)
        case "long": return whole.announcing(contentLength: data.count + 5000)
        case "cut": return whole.droppedAfter(bytes: data.count / 2)
        case "reset": return whole.resetImmediately()
        case "html": return .html("<p>Not here</p>")
        case "garbage": return .ok(Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ number) }))
        case "empty": return .ok(Data())
        case "huge": return whole.announcing(contentLength: 60_000_000)
        case "500", "404", "429": return .status(Int(name) ?? 500)
        case "loop": return .redirect(to: "/fault/loop/\(number)")
        case "away": return .redirect(to: "http://127.0.0.3:\(port)\(SoakSources.path(of: 0))")
        case "hang": return whole.held(by: never)
        case "drip": return whole.dripping(bytes: 50, every: .seconds(1))
        default: return .status(404)
        }
    }
}
