import CalotypeBase
import CalotypeHTTP
import Foundation

/// A store of named bytes, such as a bucket. Names are whole keys, without the bucket.
protocol ObjectStore: Sendable {
    /// Returns the bytes of an object, or `nil` if there is none with the name.
    ///
    /// - Throws: `bodyTooLarge` if the object has more than `limit` bytes.
    func read(_ name: ByteString, limit: Int) async throws(TransportError) -> Data?

    /// Stores an object, and replaces one with the same name.
    func store(_ data: Data, as name: ByteString) async throws(TransportError)

    /// Removes an object, if there is one.
    func remove(_ name: ByteString) async throws(TransportError)

    /// Returns names that begin with `prefix`, in the order of their bytes.
    ///
    /// - Parameter last: The name after which the list begins. By default it begins with the first name.
    func list(_ prefix: ByteString, after last: ByteString?) async throws(TransportError) -> ObjectList
}

/// A part of the names in a store.
struct ObjectList: Hashable, Sendable {
    var names: [ByteString]
    /// The name after which the next part begins, or `nil` if no names follow.
    var next: ByteString?
    /// The time of day of the store, in whole seconds since 1970; `nil` if it is unknown.
    var date: Double?
}
