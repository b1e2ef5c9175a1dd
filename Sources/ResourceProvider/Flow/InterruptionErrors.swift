import CalotypeBase

/// The errors that a chain throws for interruptions: values of its error type, or an `Interruption` for `any Error`.
struct InterruptionErrors<Failure: Error>: Sendable {
    let failure: @Sendable (Interruption) -> Failure
}

extension InterruptionErrors where Failure: InterruptibleFailure {
    init() {
        failure = { interruption in
            switch interruption.kind {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .overloaded: .overloaded
            }
        }
    }
}

extension InterruptionErrors where Failure == any Error {
    init() { failure = { $0 } }
}
