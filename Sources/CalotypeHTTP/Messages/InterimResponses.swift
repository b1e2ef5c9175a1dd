internal import CalotypeBase

/// The observer of interim responses (1xx, RFC 9110 §15.2) to requests that the current task sends.
package enum InterimResponses {
    package typealias Observer = @Sendable (_ status: Int, _ fields: HTTPFields) -> Void

    /// Called for each interim response in order, on a thread of the transport: it must not block.
    @TaskLocal package static var observer: Observer?

    /// Runs `body` with an observer, like `TaskLocal.withValue`, but with typed throws.
    package static func observed<Result: Sendable, Failure: Error>(
        by observer: Observer?, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await $observer.withValue(observer) { await Swift.Result(awaiting: body) }.get()
    }
}
