package import CalotypeBase
import CalotypeCodecs

/// The images of a folder and its subfolders, in the order of their paths. Creating the value reads the names of the
/// files, but not their contents.
package struct PhotoFolder: Sendable {
    /// The folder of the images in Debian's package mate-backgrounds.
    package static let standardPath = "/usr/share/backgrounds/mate"

    private static let limit = 10_000
    /// The maximum number of names to read, so that reading ends soon even if the user opens the root of a disk.
    private static let nameLimit = 100_000
    private static let formats: Set<ImageFormat> = [.jpeg, .png, .webp, .gif, .avif]

    package let path: LocalPath
    package let files: [LocalPath]
    /// The subfolders that cannot be read.
    package let problems: [FolderWalk.Problem]

    /// Reads at most 100,000 names on the caller's thread, and keeps at most 10,000 images.
    ///
    /// - Throws: An error if the folder does not exist or contains no image.
    package init(path: LocalPath) throws(PhotoFolderError) {
        try self.init(path: path, nameLimit: PhotoFolder.nameLimit)
    }

    init(path: LocalPath, nameLimit: Int) throws(PhotoFolderError) {
        guard path.isFolder else { throw PhotoFolderError(message: "there is no folder \(path)") }
        var options = FolderWalk.Options()
        options.nameLimit = nameLimit
        let walk: FolderWalk
        do throws(SystemError) {
            walk = try FolderWalk(path, options) {
                LocalPath($0).imageFormat.map(PhotoFolder.formats.contains) ?? false
            }
        } catch {
            throw PhotoFolderError(message: "the folder \(path) cannot be read: \(error)")
        }
        self.path = path
        files = walk.files.prefix(PhotoFolder.limit).map { path.appending($0) }
        problems = walk.problems
        guard files.isEmpty else { return }
        let unread = problems.first.map { "; \($0.folder): \($0.message)" } ?? ""
        throw PhotoFolderError(message: "there are no pictures in \(path)\(unread)", isUnread: !problems.isEmpty)
    }
}

extension LocalPath {
    /// The name without its extension, for display.
    package var title: String {
        let name = name.displayed
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The format that the extension names; `nil` without one, and for other extensions.
    package var imageFormat: ImageFormat? {
        let name = name.displayed
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return ImageFormat(fileExtension: String(name[name.index(after: dot)...]))
    }
}

/// The reason that a folder has no photos, in one line for people.
package struct PhotoFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    /// Whether a subfolder that cannot be read may have photos.
    package var isUnread = false

    package var description: String { message }
}

extension PhotoFolderError: InterruptibleFailure {
    package static let cancelled = PhotoFolderError(message: "the folder was not read")
    package static let timedOut = PhotoFolderError(message: "the folder takes too long to read")
    package static let overloaded = PhotoFolderError(message: "too many folders are being read")
}
