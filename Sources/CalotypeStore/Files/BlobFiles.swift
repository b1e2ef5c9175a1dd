import Foundation

/// Files of bodies too large for the index. Each is written to a temporary path, then renamed, and never changed again:
/// a reader sees all of it or nothing.
struct BlobFiles: Sendable {
    let layout: StoreLayout
    let isSynced: Bool

    func publish(_ tempPath: String, as name: BlobName) throws(StoreError) {
        do throws(StoreError) {
            try FileSystem.move(tempPath, to: layout.path(of: name))
        } catch  where error.code == .fileNotFound {
            try FileSystem.makeDirectory(layout.shard(of: name))
            try FileSystem.move(tempPath, to: layout.path(of: name))
        }
        if isSynced { try FileDescriptor(layout.shard(of: name), O_RDONLY | O_DIRECTORY).sync() }
    }

    enum Finding<Found> {
        case found(Found)
        /// The file does not exist: the entry was trimmed or replaced, or the file was deleted from outside.
        case gone
        case damaged(String)
    }

    func read(_ name: BlobName, size: Int, checksum: UInt64) throws(StoreError) -> Finding<Data> {
        try finding { () throws(StoreError) in
            guard let body = try WholeFile.read(layout.path(of: name), size: size) else {
                return .damaged(Self.wrongLength(size))
            }
            return Checksum.of(body) == checksum ? .found(body) : .damaged("its body fails the checksum")
        }
    }

    /// Opens the file, and verifies its size but not its checksum.
    func open(_ name: BlobName, size: Int) throws(StoreError) -> Finding<StoredFile> {
        try finding { () throws(StoreError) in
            let file = try FileDescriptor(reading: layout.path(of: name))
            guard try file.size() == size else { return .damaged(Self.wrongLength(size)) }
            return .found(StoredFile(file, size: size))
        }
    }

    private func finding<Found>(
        _ look: () throws(StoreError) -> Finding<Found>
    ) throws(StoreError) -> Finding<Found> {
        do throws(StoreError) {
            return try look()
        } catch  where error.code == .fileNotFound {
            return .gone
        } catch  where error.code == .notAFile {
            return .damaged("its file was replaced by something other than a regular file")
        }
    }

    private static func wrongLength(_ size: Int) -> String {
        "its file has a length other than the \(size) bytes stored"
    }

    func remove(_ names: [BlobName]) {
        for name in names { FileSystem.remove(layout.path(of: name)) }
    }

    func names(inShard number: Int) -> [BlobName] {
        FileSystem.names(in: layout.shard(number)).compactMap(BlobName.init(text:))
    }
}
