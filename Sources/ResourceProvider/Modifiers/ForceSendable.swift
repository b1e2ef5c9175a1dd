extension SyncProvider where Self: SendableMetatype, ID: Sendable, Value: Sendable {
    /// This provider, vouched for by you to be safe to use from any thread, or from one at a time.
    ///
    /// For parts that are safe and cannot say so, and for parts that `serialized()` will ask one at a time:
    /// `part.forceSendable().serialized()`, with nobody else holding `part`. The compiler no longer checks it.
    public func forceSendable() -> some SyncProvider<ID, Value, Failure> & Sendable {
        let unchecked = UncheckedSendable(value: self)
        return AnySendableSyncProvider { (id) throws(Failure) in try unchecked.value.value(for: id) }
    }
}

extension SyncCache where Self: SendableMetatype, ID: Sendable, Value: Sendable {
    /// This cache, vouched for by you to be safe to use from any thread, or from one at a time.
    ///
    /// `part.forceSendable().serialized()` is safe if nobody else holds `part`. The compiler no longer checks it.
    public func forceSendable() -> some SyncCache<ID, Value> & Sendable {
        let unchecked = UncheckedSendable(value: self)
        return AnySendableSyncCache { id in
            unchecked.value.value(for: id)
        } storeValueForID: { value, id in
            unchecked.value.store(value: value, for: id)
        }
    }
}

// Unchecked: this is what `forceSendable` is for; its caller has taken the responsibility.
private struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value
}
