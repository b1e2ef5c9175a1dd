extension SyncProvider where Self: SendableMetatype, ID: Sendable, Value: Sendable {
    /// Returns this provider as `Sendable`, without checks by the compiler.
    ///
    /// Use this for types that are thread-safe but not declared `Sendable`, or for types that only `serialized()` will
    /// call: `part.forceSendable().serialized()`, if no other code uses `part`.
    public func forceSendable() -> some SyncProvider<ID, Value, Failure> & Sendable {
        let unchecked = UncheckedSendable(value: self)
        return AnySendableSyncProvider { (id) throws(Failure) in try unchecked.value.value(for: id) }
    }
}

extension SyncCache where Self: SendableMetatype, ID: Sendable, Value: Sendable {
    /// Returns this cache as `Sendable`, without checks by the compiler.
    ///
    /// Use this for a thread-safe cache, or as `part.forceSendable().serialized()` if no other code uses `part`.
    public func forceSendable() -> some SyncCache<ID, Value> & Sendable {
        let unchecked = UncheckedSendable(value: self)
        return AnySendableSyncCache { id in
            unchecked.value.value(for: id)
        } storeValueForID: { value, id in
            unchecked.value.store(value: value, for: id)
        }
    }
}

// Unchecked: the caller of `forceSendable` is responsible for the value's thread safety.
private struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value
}
