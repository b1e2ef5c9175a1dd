/// The properties of a public error on the heap: one word, which the compiler treats as an integer.
///
/// A public error has no other stored property. If the last one is a reference or a string, Swift 6.3 crashes while it
/// compiles a caller for release: see "Public errors" in CONTRIBUTING.md. The optional prevents that, although it is never
/// `nil`.
@usableFromInline package struct ErrorParts<Parts: Sendable>: Sendable {
    @usableFromInline var storage: CopyOnWrite<Parts>?

    @inlinable package init(_ parts: Parts) { storage = CopyOnWrite(parts) }

    // Unwrapped by force: the initializer sets the storage, and nothing sets it to `nil`.
    @inlinable package var value: Parts {
        _read { yield storage!.value }
        _modify { yield &storage!.value }
    }
}

extension ErrorParts: Equatable where Parts: Equatable {}

extension ErrorParts: Hashable where Parts: Hashable {}
