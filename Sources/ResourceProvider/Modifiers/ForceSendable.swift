extension SyncProvider where Self: SendableMetatype, ID: Sendable, Value: Sendable {
    /// This provider, vouched for by you to be safe to use from any thread, or from one at a time.
    ///
    /// For parts that are safe and cannot say so, and for parts that `serialized()` will ask one at a time:
    /// `part.forceSendable().serialized()`, with nobody else holding `part`. The compiler no longer checks it.
    public func forceSendable() -> some SyncProvider<ID, Value, Failure> & Sendable {
        let vouched = Vouched(value: self)
        return AnySendableSyncProvider { (id) throws(Failure) in try vouched.value.value(for: id) }
    }
}

extension SyncCache where Self: SendableMetatype, ID: Sendable, Value: Sendable {
    /// This cache, vouched for by you to be safe to use from any thread, or from one at a time.
    ///
    /// `part.forceSendable().serialized()` is safe if nobody else holds `part`. The compiler no longer checks it.
    public func forceSendable() -> some SyncCache<ID, Value> & Sendable {
        let vouched = Vouched(value: self)
        return AnySendableSyncCache { id in
            vouched.value.value(for: id)
        } storeValueForID: { value, id in
            vouched.value.store(value: value, for: id)
        }
    }
}

// Unchecked: this is what `forceSendable` is for; its caller has taken the responsibility.
private struct Vouched<Value>: @unchecked Sendable {
    let value: Value
}
