// What a chain throws when a closure with errors of its own is added to it:
//
//     closure throws      chain throws Never     chain throws Failure
//     nothing             Never                  Failure
//     Failure             –                      Failure
//     E                   E                      any Error
//
// Each modifier with a throwing closure has four overloads: one for closures that throw nothing, and one for each way in
// which errors meet. The three that throw are disfavoured. In the middle of a long chain Swift has to choose before it
// knows the chain's `Failure`; it would bind that to `Never` for the sake of a literal that throws nothing, and then fall
// back to `any Error`.
//
// A literal that throws says what: `{ (value, id) throws(DecodingError) in … }`. Without, Swift takes `any Error`.

extension SyncProvider {
    func widened() -> AnySyncProvider<ID, Value, any Error> {
        AnySyncProvider { (id) throws(any Error) in try value(for: id) }
    }

    func widened<Wider: Error>(to _: Wider.Type) -> AnySyncProvider<ID, Value, Wider> where Failure == Never {
        AnySyncProvider { (id) throws(Wider) in value(for: id) }
    }
}

extension SyncProvider where Self: Sendable {
    func widened() -> AnySendableSyncProvider<ID, Value, any Error> {
        AnySendableSyncProvider { (id) throws(any Error) in try value(for: id) }
    }

    func widened<Wider: Error>(to _: Wider.Type) -> AnySendableSyncProvider<ID, Value, Wider> where Failure == Never {
        AnySendableSyncProvider { (id) throws(Wider) in value(for: id) }
    }
}

extension AsyncProvider {
    func widened() -> AnyAsyncProvider<ID, Value, any Error> {
        replacingValue { (id) async throws(any Error) in try await value(for: id) }
    }

    func widened<Wider: Error>(to _: Wider.Type) -> AnyAsyncProvider<ID, Value, Wider> where Failure == Never {
        replacingValue { (id) async throws(Wider) in await value(for: id) }
    }
}
