import CalotypeBase

/// The errors that a chain throws for interruptions: values of its error type, or an `Interruption` for `any Error`.
struct InterruptionErrors<Failure: Error>: Sendable {
    let cancelled: Failure
    let timedOut: Failure
    let overloaded: Failure

    func failure(for interruption: Interruption) -> Failure {
        switch interruption.kind {
        case .cancelled: cancelled
        case .timedOut: timedOut
        case .overloaded: overloaded
        }
    }
}

extension InterruptionErrors where Failure: InterruptibleFailure {
    init() {
        self.init(cancelled: .cancelled, timedOut: .timedOut, overloaded: .overloaded)
    }
}

extension InterruptionErrors where Failure == any Error {
    init() {
        self.init(
            cancelled: Interruption.cancelled, timedOut: Interruption.timedOut, overloaded: Interruption.overloaded)
    }
}
