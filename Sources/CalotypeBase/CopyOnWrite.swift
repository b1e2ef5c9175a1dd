/// A value on the heap, one word wide. Copies share the value until one of them changes.
///
/// Requests, responses and errors pass through a dozen async functions, whose frames would each contain several copies of
/// a few hundred bytes. A frame of over a kilobyte does not fit into the memory that a task reuses, and takes longer to
/// allocate than most of these functions take to run.
@usableFromInline package struct CopyOnWrite<Value: Sendable>: Sendable {
    @usableFromInline var storage: Storage

    // Unchecked: the value changes only while one struct refers to it.
    @usableFromInline final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) @usableFromInline var value: Value

        @inlinable init(_ value: Value) { self.value = value }
    }

    @inlinable package init(_ value: Value) { storage = Storage(value) }

    @inlinable package var value: Value {
        _read { yield storage.value }
        _modify {
            makeUnique()
            yield &storage.value
        }
    }

    /// A separate function, so that the copy does not enlarge the callers' frames.
    @inline(never) @usableFromInline mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
    }
}

extension CopyOnWrite: Equatable where Value: Equatable {
    @inlinable package static func == (one: CopyOnWrite, other: CopyOnWrite) -> Bool { one.value == other.value }
}

extension CopyOnWrite: Hashable where Value: Hashable {
    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
