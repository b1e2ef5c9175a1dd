import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeHTTPCache

/// A random history of requests, of an origin and of a clock: the cache and the model see the same, and what the cache does is
/// compared with what the model permits.
final class History {
    /// A difference between the two, with the steps that led to it.
    struct Difference: Error, CustomStringConvertible {
        let claim: String
        let text: String

        var description: String { "\(claim)\n\(text)" }
    }

    private var text: String { ([title] + steps.suffix(30).map(\.description)).joined(separator: "\n") }

    private struct Scene {
        var origin: HistoryOrigin
        var exchanges: [ModelExchange] = []
        var tags: [String] = []
    }

    let seed: UInt64
    var model: CacheModel
    private(set) var counts: [String: Int] = [:]
    private var clients: HistoryClients
    private let clock = ManualClock()
    private let store = MemoryHTTPCacheStore()
    private let cache: HTTPCache
    private let base: FakeTransport
    private let transport: any Transport
    private let scene: Locked<Scene>
    private var steps: [HistoryStep] = []
    private let title: String

    init(seed: UInt64) {
        self.seed = seed
        var random = SplitMix(seed: seed)
        clients = HistoryClients(seed: random.next())
        let scene = Locked(Scene(origin: HistoryOrigin(seed: random.next())))
        let isShared = random.number(below: 2) == 0
        var rules: CacheRules = isShared ? .shared : .private
        rules.obeysNoVarySearch = false
        rules.negativeLifetime = .seconds(random.number(below: 3) * 10)
        rules.defaultLifetime = .seconds(random.number(below: 3) * 15)
        rules.staleIfUnreachable = random.number(below: 3) == 0 ? nil : .seconds(86_400)
        model = CacheModel(isShared: isShared)
        model.defaultLifetime = rules.defaultLifetime / .seconds(1)
        model.negativeLifetime = rules.negativeLifetime / .seconds(1)
        model.staleIfUnreachable = rules.staleIfUnreachable.map { $0 / .seconds(1) }
        var options = HTTPCacheOptions()
        options.resumableLength = 1
        cache = HTTPCache(rules: rules, store: store, options: options, wallClock: clock.wall)
        base = FakeTransport { [clock] request throws(TransportError) in
            try Self.reply(to: request, scene, clock)
        }
        transport = base.cached(in: cache)
        self.scene = scene
        title = "\(isShared ? "shared" : "private"), \(rules)"
    }

    /// Sends the request to the origin of the scene, which takes some of the clock's time.
    private static func reply(
        to request: HTTPRequest, _ scene: Locked<Scene>, _ clock: ManualClock
    ) throws(TransportError) -> HTTPResponse {
        let asked = ModelRequest(request)
        let sent = clock.wall.now
        let (reply, delay) = scene.withLock { scene in
            (scene.origin.reply(to: asked, at: sent), scene.origin.delay())
        }
        clock.advance(by: .seconds(delay))
        scene.withLock { scene in
            let exchange = ModelExchange(request: asked, reply: reply, sent: sent, came: clock.wall.now)
            scene.exchanges.append(exchange)
            if let tag = exchange.fields["etag"] { scene.tags.append(tag) }
        }
        switch reply {
        case .unreachable: throw TransportError(.cannotConnect, "refused")
        case .malformed: throw TransportError(.malformedResponse, "no HTTP")
        case .response(let status, let fields, let body, let isCutOff):
            let body = isCutOff ? HTTPBody(BrokenBody(Data(body))) : HTTPBody(Data(body))
            return HTTPResponse(url: request.url, status: status, fields: HTTPFields(fields), body: body)
        }
    }

    // MARK: Steps

    /// Performs one request, and compares.
    func step() async throws {
        clock.advance(by: .seconds(clients.pause()))
        let start = clock.wall.now
        let tags = scene.withLock { scene in
            scene.exchanges = []
            return scene.tags
        }
        let request = clients.request(tags, at: start)
        model.noteChoices(request, at: start)
        let promised = model.promisedHit(request, at: start)
        let result = await result(of: request)
        await waitUntil { isAtRest }
        let exchanges = scene.withLock { $0.exchanges }
        steps.append(HistoryStep(request: request, start: start, exchanges: exchanges, result: result))
        let isInBackground = result.status.contains("stale-while-revalidate")
        var check = HistoryCheck(
            request: request, start: start, exchanges: isInBackground ? [] : exchanges,
            background: isInBackground ? exchanges : nil, result: result, promised: promised)
        try compare { try check.conditions(model) }
        var updated: [ModelEntry] = []
        for exchange in check.exchanges {
            check.owed = model.promisedStale(request, at: exchange.came, exchange.outcome)
            updated = model.receive(exchange, for: request)
        }
        try compare { counts[try check.answer(model, updated), default: 0] += 1 }
        if isInBackground { for exchange in exchanges { model.receive(exchange, for: request.plain) } }
        try compare { try checkStore(request.url) }
    }

    private func compare(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let claim as HistoryCheck.Claim {
            throw Difference(claim: "seed \(seed), step \(steps.count): \(claim.text)", text: text)
        }
    }

    /// In the order in which a response passes through them, so that none is missed.
    private var isAtRest: Bool {
        cache.revalidations.count == 0 && cache.flights.count == 0 && base.inFlight == 0
            && cache.transfersUnderWay == 0
    }

    private func result(of request: ModelRequest) async -> HistoryResult {
        guard let url = URL(string: request.url) else { return HistoryResult(failure: "no URL") }
        let method = HTTPMethod(rawValue: ByteString(request.method))
        do throws(TransportError) {
            let response = try await transport.send(
                HTTPRequest(url, method: method, fields: HTTPFields(request.fields)))
            var result = HistoryResult(response)
            do throws(TransportError) { result.body = Array(try await response.body.collect()) } catch {
                result.isCutOff = true
            }
            return result
        } catch {
            return HistoryResult(failure: "\(error)")
        }
    }

    /// Compares all that is stored for the URL with the responses that may be.
    private func checkStore(_ url: String) throws {
        for variant in store.immediateVariants(of: ByteString(url)) ?? [] {
            let fields = ModelFields(variant.head.fields)
            let body = variant.body.map { Array($0) } ?? []
            let isKnown = model.known(url).contains { entry in
                entry.fields.says(fields) && entry.body == body && entry.came == variant.head.responseTime
                    && entry.part == variant.head.part?.range && entry.status == variant.head.status
            }
            if !isKnown {
                throw HistoryCheck.Claim("the store has what it must not: \(variant.head.status) \(fields)")
            }
        }
    }
}
