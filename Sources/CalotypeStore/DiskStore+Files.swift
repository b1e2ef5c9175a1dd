internal import CalotypeBase
package import Foundation

/// Large bodies, which go from their files to where they are wanted without lying in memory as a whole.
extension DiskStore {
    /// The file of an entry's body, with these bytes of it verified: all blocks that they lie in, or the whole body if it
    /// was stored without the checksums of its blocks. What was verified while the file is open is not verified again.
    ///
    /// - Returns: `nil` if the body lies in no file, or was removed, replaced or damaged since. What is damaged is deleted
    ///   and reported first.
    package func file(of head: EntryHead, covering range: Range<Int>) async throws(StoreError) -> StoredFile? {
        try checkOpen()
        guard head.body == nil, let key = StoreKey(head.key) else { return nil }
        let name = BlobName(hash: key.hash, version: head.version)
        if let file = openFiles[name], file.isVerified(range) { return file }
        let finding = try await reading { [openFiles] reader throws(StoreError) in
            try reader.file(of: head, key, openFiles[name], covering: range)
        }
        switch finding {
        case .file(let file):
            openFiles.insert(file, name)
            return file
        case .damaged(let name, let problem):
            openFiles.remove(name)
            discard(name, problem)
            return nil
        case .absent: return nil
        }
    }

    /// Reads a part of a file that was verified.
    package func read(_ range: Range<Int>, of file: StoredFile) async throws(StoreError) -> Data {
        let bytes = try await readerThreads.run { () throws(StoreError) in try file.read(range) }
        guard let bytes else { throw StoreError(.ioFailed, "a body's file became shorter while it was read") }
        return bytes
    }
}
