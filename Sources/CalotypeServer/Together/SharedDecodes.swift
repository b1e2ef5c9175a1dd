import Calotype
import CalotypeBase
import CalotypeCodecs

/// The decodes that results of the same original share while they wait or run.
///
/// An original is known by its URL and the digest of its bytes, so that all results of a decode are of one version.
final class SharedDecodes: Sendable {
    private struct State {
        var decodes: [ByteString: SharedDecode] = [:]
        var lastNumber = 0
    }

    private let queue: RenditionQueue
    private let work: RenditionWork
    private let clock: any Clock<Duration>
    let arrivals = Arrivals()
    private let state = Locked(State())
    /// The decodes in progress, by their numbers. A client that leaves ends one only if it was the last.
    private let flights = Coordinator<Int, Never, ImageResponse, ImageError>(cancelled: .cancelled, startsInPlace: true)

    init(in queue: RenditionQueue, counting work: RenditionWork, clock: any Clock<Duration>) {
        (self.queue, self.work, self.clock) = (queue, work, clock)
    }

    /// The number of decodes that a result can join.
    var count: Int { state.withLock { $0.decodes.count } }

    /// The number of results that wait for a decode.
    var waiters: Int { flights.waiterCount }

    /// Returns the image from which the result is to be drawn, and how.
    ///
    /// A result that is refused as one of several is made by what it needs alone: the largest by itself, the others together.
    func image(
        for result: SharedResult, of found: FoundSource, at url: ByteString, drawings: DrawingBudget,
        _ turn: RenditionQueue.Turn, under terms: SharingTerms, onStart: @escaping @Sendable () -> Void
    ) async throws(ImageError) -> SharedImage? {
        let name: ByteString = "\(found.digest)\n\(url)"
        for _ in 0..<Self.attempts {
            let place = join(name, at: url, result, turn, under: terms, limits: found.loader.options.limits)
            terms.arrival.end()
            let image: ImageResponse, hasJoined = Locked(false)
            defer {
                place.leave()
                if place.decode.isEmpty { end(place.decode, name) }
            }
            do throws(ImageError) {
                image = try await flights.value(
                    for: place.decode.number,
                    onJoin: {
                        hasJoined.withLock { $0 = true }
                        found.release()
                    }
                ) { [self] _ in
                    let decode = place.decode
                    defer { end(decode, name) }
                    let result = await Result(awaiting: { () async throws(ImageError) in
                        try await found.image(
                            decode, encoding: decode.memory, under: decode.terms(drawings), onStart: onStart)
                    })
                    if case .failure(let error) = result, error.isOfSize { decode.expectOthersAgain() }
                    return result
                }
            } catch {
                // The decode ended at the deadline of another result.
                if error.code == .timedOut, hasJoined.withLock({ $0 }), terms.time.left > .zero { return nil }
                guard place.isOneOfSeveral, error.isOfSize else { throw error }
                if place.isLargest { return nil }
                continue
            }
            switch place.outcome {
            case .whole: return SharedImage(image: image)
            case .drawn(let header, let route): return SharedImage(image: image, header: header, route: route)
            case .leftOut: return nil
            }
        }
        return nil
    }

    /// The number of times that a result is made together with others. Each failure leaves the largest one out.
    private static let attempts = 4

    private func join(
        _ name: ByteString, at url: ByteString, _ result: SharedResult, _ turn: RenditionQueue.Turn,
        under terms: SharingTerms, limits: DecodeLimits
    ) -> SharedPlace {
        state.withLock { state in
            if let place = state.decodes[name]?.join(result, turn, terms) { return place }
            while true {
                state.lastNumber += 1
                let decode = SharedDecode(
                    number: state.lastNumber, first: result, limits: limits, in: queue, clock: clock,
                    onClose: { [work] in work.beginsDecode() })
                state.decodes[name] = decode
                arrivals.await(by: decode, at: url, besides: terms.arrival)
                // A new one takes any result.
                if let place = decode.join(result, turn, terms) { return place }
            }
        }
    }

    /// Lets no further result join a decode that has ended.
    private func end(_ decode: SharedDecode, _ name: ByteString) {
        state.withLock { state in
            if state.decodes[name] === decode { state.decodes[name] = nil }
        }
    }
}

extension ImageError {
    /// Whether a smaller image might not have failed.
    fileprivate var isOfSize: Bool { [.memoryExceeded, .imageTooLarge].contains(code) }
}
