internal import CalotypeBase
package import Foundation

/// Large bodies as files, for callers that send them without reading them into memory.
extension DiskStore {
    /// Returns the open file of an entry's body, after verifying the blocks that contain `range`, or the whole body if
    /// it was stored without checksums of its blocks. While the file is open, no block is verified twice.
    ///
    /// - Parameter limit: The largest range that is verified now, in bytes.
    /// - Returns: `nil` if the body is not in a file, has since been removed or replaced, or is damaged, or if more bytes
    ///   than the limit have to be verified. A damaged entry is deleted and reported first.
    package func file(
        of head: EntryHead, covering range: Range<Int>, verifyingAtMost limit: Int = .max
    ) async throws(StoreError) -> StoredFile? {
        try checkOpen()
        guard head.body == nil, let key = StoreKey(head.key) else { return nil }
        let name = BlobName(hash: key.hash, version: head.version)
        if let file = openFiles[name], file.isVerified(range) { return file }
        guard range.count <= limit else { return nil }
        let finding = try await reading { [openFiles] reader throws(StoreError) in
            try reader.file(of: head, key, openFiles[name], covering: range)
        }
        guard let file = taken(finding) else {
            openFiles.remove(name)
            return nil
        }
        openFiles.insert(file, name)
        return file
    }

    package func read(_ range: Range<Int>, of file: StoredFile) async throws(StoreError) -> Data {
        let bytes = try await readerThreads.run { () throws(StoreError) in try file.read(range) }
        guard let bytes else { throw StoreError(.ioFailed, "a body's file became shorter while it was read") }
        return bytes
    }
}
