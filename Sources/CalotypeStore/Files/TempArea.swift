import CalotypeBase
import Foundation

/// The directory of unfinished files, shared with other instances and processes.
///
/// Each instance that writes holds a lock file in `temp/`; the names of its unfinished files begin with the name of
/// that lock file. Unfinished files whose lock is free belong to a process that has ended, and can be deleted. Process
/// IDs would not identify their owners: the system reuses IDs, and two containers can have the same ones.
package final class TempArea {
    private let directory: String
    private let owner: ByteString
    /// Whether the lock is kept after `endWork()`. If `false`, no unfinished files may exist at that time.
    private let keepsLock: Bool
    private var lock: FileLock?
    private var count = 0

    package init(_ directory: String, keepsLock: Bool = UninterruptedWork.keepsLocks) throws(StoreError) {
        self.directory = directory
        self.keepsLock = keepsLock
        owner = ByteString(hex(.random(in: .min ... .max), digits: 16))
        try FileSystem.makeDirectory(directory)
        try beginWork()
    }

    deinit { unlock() }

    package func beginWork() throws(StoreError) {
        guard lock == nil else { return }
        lock = try FileLock(TempArea.lockPath(of: owner, in: directory), timeout: .seconds(1))
    }

    package func endWork() {
        if !keepsLock { unlock() }
    }

    private func unlock() {
        guard lock != nil else { return }
        FileSystem.remove(TempArea.lockPath(of: owner, in: directory))
        lock = nil
    }

    package func nextPath() -> String {
        count += 1
        return "\(directory)/\(owner)-\(count)"
    }

    private static let suffix: ByteString = ".lock"

    private static func lockPath(of owner: ByteString, in directory: String) -> String {
        "\(directory)/\(owner)\(suffix)"
    }

    /// Deletes the unfinished files of dead processes, and calls `finish`. Deletes the lock files of these processes
    /// last: if this process dies before that, the next sweep starts over.
    ///
    /// - Parameter finish: Receives `true` if a dead process left its lock file or an unfinished file.
    package static func clear(
        _ directory: String, finish: (_ diedWriting: Bool) throws(StoreError) -> Void
    ) throws(StoreError) {
        let names = FileSystem.names(in: directory)
        let dead = Dictionary(grouping: names, by: owner(of:)).compactMap { owner, names in
            DeadOwner(lock: lockPath(of: owner, in: directory), files: names.filter { !$0.hasSuffix(suffix) })
        }
        for name in dead.flatMap(\.files) { FileSystem.remove("\(directory)/\(name)") }
        try finish(!dead.isEmpty)
        for owner in dead { FileSystem.remove(owner.lockPath) }
    }

    private static func owner(of name: ByteString) -> ByteString {
        ByteString(bytes: name.bytes.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") })
    }
}

/// The files of a process that has died. This object holds their lock, so that no other sweep deletes them meanwhile.
private final class DeadOwner {
    let lockPath: String
    let files: [ByteString]
    private let lock: FileLock

    /// Takes the lock of another process. Returns `nil` if that process is alive and holds the lock, or if the lock
    /// file cannot be opened.
    init?(lock path: String, files: [ByteString]) {
        guard let lock = try? FileLock(trying: path) else { return nil }
        self.lock = lock
        self.files = files
        lockPath = path
    }
}
