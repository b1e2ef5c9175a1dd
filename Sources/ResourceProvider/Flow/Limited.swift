public import CalotypeBase

extension AsyncProvider where Failure: InterruptibleFailure {
    /// Lets at most `limit` requests through at the same time; the others wait.
    ///
    /// They wait by `DynamicPriority.current`, which is followed while they do, and within one priority by `order`. A
    /// request cancelled while it waits throws `cancelled` at once and never reaches this provider.
    /// `immediateValue(for:)` does not wait and is not counted.
    ///
    /// - Parameter queueLimit: how many may wait. One more throws `overloaded`. 65,536 by default.
    public func limited(
        to limit: Int, order: QueueOrder = .firstInFirstOut, queueLimit: Int = 65_536
    ) -> some AsyncProvider<ID, Value, Failure> {
        limited(by: Limiter(limit: limit, order: order, queueLimit: queueLimit), InterruptionErrors())
    }
}

extension AsyncProvider where Failure == any Error {
    /// Lets at most `limit` requests through at the same time; the others wait.
    ///
    /// Throws `Interruption.cancelled` and `Interruption.overloaded`. All else is as in the overload for
    /// `InterruptibleFailure`.
    public func limited(
        to limit: Int, order: QueueOrder = .firstInFirstOut, queueLimit: Int = 65_536
    ) -> some AsyncProvider<ID, Value, any Error> {
        limited(by: Limiter(limit: limit, order: order, queueLimit: queueLimit), InterruptionErrors())
    }
}

extension AsyncProvider where Failure == Never {
    /// Lets at most `limit` requests through at the same time; the others wait.
    ///
    /// Without an error to throw, a cancelled request keeps its place and the queue has no limit of its own.
    public func limited(
        to limit: Int, order: QueueOrder = .firstInFirstOut
    ) -> some AsyncProvider<ID, Value, Never> {
        let limiter = Limiter(limit: limit, order: order, queueLimit: .max)
        return replacingValue { (id) async in
            await limiter.enterUninterruptibly()
            defer { limiter.leave() }
            return await value(for: id)
        }
    }
}

extension AsyncProvider {
    func limited(
        by limiter: Limiter, _ words: InterruptionErrors<Failure>
    ) -> AnyAsyncProvider<ID, Value, Failure> {
        replacingValue { (id) async throws(Failure) in
            do throws(Interruption) { try await limiter.enter() } catch { throw words.failure(for: error) }
            defer { limiter.leave() }
            return try await value(for: id)
        }
    }
}
