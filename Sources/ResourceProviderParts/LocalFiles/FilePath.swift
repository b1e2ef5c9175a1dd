// Paths as identifiers, by their text: where the module System exists, its `FilePath` is one, too.

#if canImport(System)
    public import Foundation
    public import ResourceProvider
    public import System

    extension LocalFileDataCache {
        /// Returns the data stored under the path's text, or `nil`.
        public func value(for id: FilePath) -> Data? { value(for: id.string) }

        /// Writes the data to a file atomically, under the path's text.
        public func store(value: Data, for id: FilePath) { store(value: value, for: id.string) }

        /// Removes the data stored under the path's text.
        public func removeValue(for id: FilePath) { removeValue(for: id.string) }
    }

    extension RemovableSyncCache where Self: Sendable, ID == String {
        /// Returns a cache that stores values under the text of the path that `transform` returns for the identifier.
        public func mapID<OtherID: Hashable & SendableMetatype>(
            _ transform: @escaping @Sendable (OtherID) -> FilePath
        ) -> some RemovableSyncCache<OtherID, Value> & Sendable {
            mapID { (id: OtherID) -> String in transform(id).string }
        }
    }

    extension RemovableAsyncCache where ID == String {
        /// Returns a cache that stores values under the text of the path that `transform` returns for the identifier.
        public func mapID<OtherID: Hashable & Sendable>(
            _ transform: @escaping @Sendable (OtherID) -> FilePath
        ) -> some RemovableAsyncCache<OtherID, Value> {
            mapID { (id: OtherID) -> String in transform(id).string }
        }
    }
#endif
