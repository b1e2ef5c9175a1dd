import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation

/// Mixed requests at a rate: hits, new thumbnails, conditions, ranges, wrong URLs, failing sources, clients that leave.
final class SoakLoad: Sendable {
    /// The maximum number of requests in flight; beyond it, the load pauses.
    private static let limit = 64
    private static let formats = ["jpg", "webp", "png"]

    private let server: SoakServer
    private let origin: String
    private let sources: SoakSources
    private let judge: SoakJudge
    private let client = ThumbnailClient(connections: SoakLoad.limit)
    private let random: Locked<SplitMix>
    private let inFlight = Locked(0)

    init(_ server: SoakServer, origin: String, _ sources: SoakSources, _ judge: SoakJudge, seed: UInt64) {
        (self.server, self.origin, self.sources, self.judge) = (server, origin, sources, judge)
        random = Locked(SplitMix(seed: seed))
    }

    /// Sends requests until the time is over, and returns their number.
    func run(rate: Double, until end: ContinuousClock.Instant) async throws -> Int {
        let start = ContinuousClock.now
        var (tick, sent) = (0, 0)
        while ContinuousClock.now < end {
            tick += 1
            try await Task.sleep(until: start + .seconds(Double(tick) / rate))
            guard inFlight.withLock({ $0 < Self.limit }) else { continue }
            inFlight.withLock { $0 += 1 }
            sent += 1
            Task { [self] in
                await sendOne()
                inFlight.withLock { $0 -= 1 }
            }
        }
        // The slowest answers take the server's deadline.
        for _ in 0..<200 where inFlight.withLock({ $0 > 0 }) { try await Task.sleep(for: .milliseconds(100)) }
        return sent
    }

    private func number(below limit: Int) -> Int { random.withLock { $0.number(below: limit) } }

    private func sendOne() async {
        switch number(below: 100) {
        case 0..<40: await image(isOld: true)
        case 40..<62: await image(isOld: false)
        case 62..<70: await condition()
        case 70..<78: await part()
        case 78..<86: await wrongURL()
        case 86..<93: await fault()
        case 93..<95: await delay()
        default: await leave()
        }
    }

    // MARK: Images

    /// A source, the URL of a thumbnail of it, and the image that the URL names.
    private struct Wanted {
        let url: String
        let image: SoakJudge.Image
    }

    /// - Parameter isOld: Whether to choose one of the URLs that are requested often.
    private func wanted(isOld: Bool) throws -> Wanted {
        let isLocal = number(below: 5) == 0
        let all = isLocal ? SoakSources.local : SoakSources.web
        let source = all.lowerBound + number(below: isOld ? 20 : all.count)
        let width = isOld ? 120 + 120 * number(below: 2) : 64 + number(below: 576)
        let format = isOld ? "jpg" : Self.formats[number(below: 3)]
        return try wanted(source, width: width, format: format)
    }

    private func wanted(_ source: Int, width: Int, format: String = "jpg", path: String? = nil) throws -> Wanted {
        let isLocal = SoakSources.local.contains(source)
        let text =
            isLocal ? "local:///\(SoakSources.name(of: source))" : origin + (path ?? SoakSources.path(of: source))
        return Wanted(
            url: try server.url + ThumbnailURL.path(text, width: width, format: format),
            // A purge of a source does not cover another URL that redirects to it.
            image: SoakJudge.Image(
                source: source, width: width, oldest: path == nil ? sources.oldest(source) : .min))
    }

    /// Sends a request, or returns `nil` if there is no answer: after a kill, or because the server lost it.
    private func answer(_ url: String, _ fields: HTTPFields = [:]) async -> ThumbnailClient.Answer? {
        guard let life = server.life else { return nil }
        do {
            return try await client.answer(url, fields)
        } catch {
            judge.note(lost: server.life == life && !server.hasEnded)
            return nil
        }
    }

    private func image(isOld: Bool) async {
        guard let wanted = try? wanted(isOld: isOld), let answer = await answer(wanted.url) else { return }
        // 502 and 504: the origin may be dead.
        judge.note(answer.status, wanted.url, kind: "image", expected: [200, 502, 503, 504])
        if answer.status == 200 { judge.judge(answer, wanted.url, wanted.image, keepsBody: isOld) }
    }

    private func condition() async {
        guard let wanted = try? wanted(isOld: true), let known = judge.known(wanted.url),
            let answer = await answer(wanted.url, ["If-None-Match": known.tag])
        else { return }
        judge.note(answer.status, wanted.url, kind: "condition", expected: [200, 304, 502, 503, 504])
        switch answer.status {
        case 200: judge.judge(answer, wanted.url, wanted.image, keepsBody: true)
        case 304: judge.judge(confirmation: answer, of: known.tag, wanted.url, wanted.image)
        default: break
        }
    }

    private func part() async {
        guard let wanted = try? wanted(isOld: true), let known = judge.known(wanted.url) else { return }
        let start = number(below: known.count)
        guard let answer = await answer(wanted.url, ["Range": "bytes=\(start)-"]) else { return }
        judge.note(answer.status, wanted.url, kind: "range", expected: [200, 206, 416, 502, 503, 504])
        switch answer.status {
        case 200: judge.judge(answer, wanted.url, wanted.image, keepsBody: true)
        case 206: judge.judge(part: answer, from: start, wanted.url)
        default: break
        }
    }

    // MARK: Faults

    private func wrongURL() async {
        let source = "local:///\(SoakSources.name(of: SoakSources.local.lowerBound))"
        let paths: [(path: String, statuses: Set<Int>)] = [
            ("/wrong/w:10/plain/\(source)", [403]), ("/", [200]),
            ("/\(String(repeating: "a", count: 9000))/w:10/plain/\(source)", [414]),
            ((try? ThumbnailURL.path("local:///missing-\(number(below: 1000)).jpg", width: 10)) ?? "", [404]),
            ((try? ThumbnailURL.path("http://127.0.0.4/a.jpg", width: 10)) ?? "", [403]),
            ((try? ThumbnailURL.path("local:///../token", width: 10)) ?? "", [400]),
            ((try? ThumbnailURL.path("http://127.0.0.1:1/a.jpg", width: 9000)) ?? "", [400, 403]),
        ]
        let (path, statuses) = paths[number(below: paths.count)]
        guard let answer = await answer(server.url + path) else { return }
        judge.note(answer.status, server.url + path, kind: "wrong URL", expected: statuses)
    }

    private func fault() async {
        let number = number(below: 1000)
        if number % 10 == 0 {
            // A redirect to a good source is no fault.
            guard let wanted = try? wanted(number % 200, width: 200, path: "/fault/redirect/\(number % 200).jpg"),
                let answer = await answer(wanted.url)
            else { return }
            judge.note(answer.status, wanted.url, kind: "redirect", expected: [200, 502, 503, 504])
            if answer.status == 200 { judge.judge(answer, wanted.url, wanted.image, keepsBody: false) }
            return
        }
        let fault = FaultOrigin.faults[number % FaultOrigin.faults.count]
        guard let wanted = try? wanted(0, width: 200, path: "/fault/\(fault.name)/\(number).jpg"),
            let answer = await answer(wanted.url)
        else { return }
        // 502 and 503: the origin may be dead, or the server busy.
        judge.note(answer.status, wanted.url, kind: fault.name, expected: fault.statuses.union([502, 503]))
    }

    /// Requests a source that takes too long. Half of the clients leave after two seconds at most.
    private func delay() async {
        let name = FaultOrigin.delays[number(below: 2)]
        guard let wanted = try? wanted(0, width: 200, path: "/fault/\(name)/\(number(below: 1000)).jpg") else { return }
        if number(below: 2) == 0 { return await leave(wanted.url) }
        guard let answer = await answer(wanted.url) else { return }
        judge.note(answer.status, wanted.url, kind: name, expected: [502, 503, 504])
    }

    /// Sends a request and leaves before the answer or in the middle of it.
    private func leave() async {
        guard let wanted = try? wanted(isOld: number(below: 2) == 0) else { return }
        await leave(wanted.url)
    }

    private func leave(_ url: String) async {
        guard server.life != nil, let client = try? RawClient(port: Int(server.port)) else { return }
        try? client.get(String(url.dropFirst(server.url.count)))
        if number(below: 2) == 0 {
            try? await Task.sleep(for: .milliseconds(number(below: 200)))
        } else {
            // Without an answer, the wait ends when the connection does.
            let end = Task {
                try? await Task.sleep(for: .seconds(2))
                client.leave()
            }
            _ = await client.receiveOnce()
            end.cancel()
        }
        client.abort()
    }
}
