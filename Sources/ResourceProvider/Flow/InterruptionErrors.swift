import CalotypeBase

/// A conversion of interruptions to the error type of a chain. For `any Error` an `Interruption` stays unchanged.
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
