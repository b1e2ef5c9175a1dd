#if canImport(Glibc)
    private import Glibc
#else
    private import Darwin
#endif

/// The files of a folder and its subfolders, and the subfolders that cannot be read.
///
/// Links to files count as files; links to folders are not followed, so that the walk ends. Pipes, sockets and devices are left
/// out: opening one might wait forever.
package struct FolderWalk: Sendable {
    package struct Options: Sendable {
        /// Whether to leave out names that begin with a dot, and what is below such folders.
        package var skipsHidden = false
        /// A folder to leave out.
        package var skipped: LocalPath?
        /// The maximum number of names to read, and of files to return.
        package var (nameLimit, fileLimit) = (Int.max, Int.max)

        package init() {}
    }

    /// An unreadable subfolder, whose files are missing from the walk.
    package struct Problem: Hashable, Sendable {
        package let folder: LocalPath
        package let error: SystemError

        /// One line for people, without the folder.
        package var message: String { "the folder cannot be read: \(error)" }
    }

    /// The paths relative to the folder, in the order of their bytes.
    package private(set) var files: [LocalPath] = []
    /// In the order of the paths, which begin with the folder's.
    package private(set) var problems: [Problem] = []
    /// The number of wanted files and of folders that were left out because their names begin with a dot.
    package private(set) var hiddenCount = 0

    private let folder: LocalPath
    private let options: Options
    private let skipped: LocalPath?
    private var nameCount = 0

    /// Reads the names of all files, on the caller's thread.
    ///
    /// - Parameter isWanted: Returns whether to return the file of this name.
    /// - Throws: If the folder itself cannot be read.
    package init(
        _ folder: LocalPath, _ options: Options = Options(), where isWanted: (ByteString) -> Bool
    ) throws(SystemError) {
        self.folder = folder
        self.options = options
        skipped = options.skipped?.absolute
        var waiting = try read("", isWanted)
        while let next = waiting.popLast(), !isFull {
            do throws(SystemError) { waiting += try read(next, isWanted) } catch {
                problems.append(Problem(folder: folder.appending(next), error: error))
            }
        }
        files.sort()
        problems.sort { $0.folder < $1.folder }
    }

    private var isFull: Bool { nameCount >= options.nameLimit || files.count >= options.fileLimit }

    /// Adds the files of a folder, and returns its subfolders.
    private mutating func read(
        _ below: LocalPath, _ isWanted: (ByteString) -> Bool
    ) throws(SystemError) -> [LocalPath] {
        let place = below.isEmpty ? folder : folder.appending(below)
        guard let stream = place.withCString({ opendir($0) }) else { throw SystemError(errno) }
        defer { closedir(stream) }
        var subfolders: [LocalPath] = []
        while !isFull {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError(errno) }
                return subfolders
            }
            let name = entry.pointee.name
            if name == "." || name == ".." { continue }
            nameCount += 1
            let path = below.appending(name: name)
            let kind = entry.pointee.kind(at: folder.appending(path))
            if options.skipsHidden, name.hasPrefix(".") {
                if kind == .folder || kind == .file && isWanted(name) { hiddenCount += 1 }
                continue
            }
            switch kind {
            case .folder:
                if skipped == nil || folder.appending(path).absolute != skipped { subfolders.append(path) }
            case .linkToFolder, .other: break
            case .file: if isWanted(name) { files.append(path) }
            }
        }
        return subfolders
    }
}

extension dirent {
    fileprivate var name: ByteString {
        withUnsafePointer(to: d_name) { name in
            name.withMemoryRebound(to: UInt8.self, capacity: MemoryLayout.size(ofValue: d_name)) {
                ByteString(bytes: UnsafeRawBufferPointer(start: $0, count: strlen(name)))
            }
        }
    }

    /// Returns the kind of the entry. A link counts as its target.
    fileprivate func kind(at path: LocalPath) -> EntryKind {
        switch Int32(d_type) {
        case Int32(DT_DIR): return .folder
        case Int32(DT_REG): return .file
        case Int32(DT_LNK): return path.kindOfTarget
        case Int32(DT_UNKNOWN): break
        default: return .other
        }
        // Some file systems omit the kind. If the entry cannot be examined, opening it as a folder reports the reason.
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0 else { return .folder }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .file
        case S_IFLNK: return path.kindOfTarget
        default: return .other
        }
    }
}

private enum EntryKind { case file, folder, linkToFolder, other }

extension LocalPath {
    /// What a link at the path leads to. Opening a broken link reports the reason.
    fileprivate var kindOfTarget: EntryKind {
        var status = stat()
        guard withCString({ stat($0, &status) }) == 0 else { return .file }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .linkToFolder
        case S_IFREG: return .file
        default: return .other
        }
    }
}
