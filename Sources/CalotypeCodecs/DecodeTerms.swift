package import CalotypeBase
package import Foundation

/// What the caller of a decode allows to a worker process. A decoder in this process does not know it.
package struct DecodeTerms: Sendable {
    /// Returns the time until the caller stops waiting; zero or less after that. `nil` if it waits to the end.
    package var timeLeft: TimeLeft?
    /// The processor time of drawings, or `nil` if it has no limit of its own.
    package var drawings: DrawingBudget?
    /// The caller's turn, for which a decode waits before it has memory and a thread; `nil` if it waits for none.
    package var turn: (any WorkTurn)?

    /// The time below which nothing begins, because it would hardly be ready in time.
    static let leastTime = Duration.milliseconds(50)

    package init(
        timeLeft: TimeLeft? = nil, drawings: DrawingBudget? = nil, turn: (any WorkTurn)? = nil
    ) {
        (self.timeLeft, self.drawings, self.turn) = (timeLeft, drawings, turn)
    }

    /// Creates the terms of a caller who waits this long from now, or to the end if `limit` is `nil`.
    package init(within limit: Duration?) {
        guard let limit else { return }
        let begun = ContinuousClock.now
        timeLeft = { limit - (ContinuousClock.now - begun) }
    }
}

/// Returns the time until a deadline. Called on threads that decode.
package typealias TimeLeft = @Sendable () -> Duration

/// A decoder in a worker process, which can be interrupted.
protocol InterruptibleDecoder: ImageDecoder {
    /// The permits for decoders that may have only some of the workers; `nil` if this one may have all.
    var permits: Limiter? { get }

    /// Returns whether the file is one of this decoder's, by its signature.
    func recognizes(_ data: Data) -> Bool

    /// Returns the decoder for a caller with these terms. It throws `timedOut` when the caller's time is over.
    func under(_ terms: DecodeTerms) -> any ImageDecoder
}

extension ImageDecoder {
    func under(_ terms: DecodeTerms) -> any ImageDecoder { (self as? any InterruptibleDecoder)?.under(terms) ?? self }
}

extension DecoderRegistry {
    /// Returns the decoders for a caller with these terms, which those in worker processes observe.
    package func under(_ terms: DecodeTerms) -> DecoderRegistry { replacing { $0.under(terms) } }

    /// Returns the permits of which a task needs one before it has a thread read this file; `nil` if it needs none.
    package func permits(for data: Data) -> Limiter? {
        let limited = decoders.lazy.compactMap { $0 as? any InterruptibleDecoder }.filter { $0.permits != nil }
        return limited.first { $0.recognizes(data) }?.permits
    }
}
