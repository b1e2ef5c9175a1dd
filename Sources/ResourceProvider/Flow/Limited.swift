public import CalotypeBase

extension AsyncProvider where Failure: InterruptibleFailure {
    /// Limits the number of concurrent requests to `limit`; further requests wait.
    ///
    /// Waiting requests are ordered by `DynamicPriority.current`, even if it changes while they wait, and within one
    /// priority by `order`. A request cancelled while waiting throws `cancelled` at once and never reaches this
    /// provider. `immediateValue(for:)` does not wait and does not count toward the limit.
    ///
    /// - Parameter queueLimit: The maximum number of waiting requests. The next throws `overloaded`. The default is
    ///   65,536.
    public func limited(
        to limit: Int, order: QueueOrder = .firstInFirstOut, queueLimit: Int = 65_536
    ) -> some AsyncProvider<ID, Value, Failure> {
        limited(by: Limiter(limit: limit, order: order, queueLimit: queueLimit), InterruptionErrors())
    }
}

extension AsyncProvider where Failure == any Error {
    /// Limits the number of concurrent requests to `limit`; further requests wait.
    ///
    /// Throws `Interruption.cancelled` and `Interruption.overloaded`. Otherwise like the overload for
    /// `InterruptibleFailure`.
    public func limited(
        to limit: Int, order: QueueOrder = .firstInFirstOut, queueLimit: Int = 65_536
    ) -> some AsyncProvider<ID, Value, any Error> {
        limited(by: Limiter(limit: limit, order: order, queueLimit: queueLimit), InterruptionErrors())
    }
}

extension AsyncProvider where Failure == Never {
    /// Limits the number of concurrent requests to `limit`; further requests wait.
    ///
    /// As the provider cannot throw, a cancelled request stays in the queue, and the queue is unlimited.
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
            do throws(Interruption) { try await limiter.enter() } catch { throw words.failure(error) }
            defer { limiter.leave() }
            return try await value(for: id)
        }
    }
}
