import CalotypeBase
import CalotypeCodecs
package import Foundation

/// The images of a folder and its subfolders, in the order of their paths. Creating the value reads the names of the
/// files, but not their contents.
package struct PhotoFolder: Sendable {
    /// The folder of the images in Debian's package mate-backgrounds.
    package static let standardPath = "/usr/share/backgrounds/mate"

    private static let limit = 10_000
    /// The maximum number of names to read, so that reading ends soon even if the user opens the root of a disk.
    private static let nameLimit = 100_000
    private static let formats: Set<ImageFormat> = [.jpeg, .png, .webp, .gif, .avif]

    package let path: String
    package let files: [URL]

    /// Reads at most 100,000 names on the caller's thread, and keeps at most 10,000 images.
    ///
    /// - Throws: An error if the folder does not exist or contains no image.
    package init(path: String) throws(PhotoFolderError) {
        try self.init(path: path, nameLimit: PhotoFolder.nameLimit)
    }

    init(path: String, nameLimit: Int) throws(PhotoFolderError) {
        self.path = path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw PhotoFolderError(message: "there is no folder \(path)")
        }
        var names: [String] = []
        let below = FileManager.default.enumerator(atPath: path)
        for _ in 0..<nameLimit {
            guard let name = below?.nextObject() as? String else { break }
            let format = ImageFormat(fileExtension: (name as NSString).pathExtension)
            if let format, PhotoFolder.formats.contains(format) { names.append(name) }
        }
        files = names.sorted().prefix(PhotoFolder.limit).map { URL(fileURLWithPath: path).appending(path: $0) }
        if files.isEmpty { throw PhotoFolderError(message: "there are no pictures in \(path)") }
    }
}

/// The reason that a folder has no photos, in one line for people.
package struct PhotoFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String

    package var description: String { message }
}

extension PhotoFolderError: InterruptibleFailure {
    package static let cancelled = PhotoFolderError(message: "the folder was not read")
    package static let timedOut = PhotoFolderError(message: "the folder takes too long to read")
    package static let overloaded = PhotoFolderError(message: "too many folders are being read")
}
