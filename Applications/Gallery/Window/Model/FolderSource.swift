import CalotypeBase
import CalotypeDemo
import Foundation

/// The images of a folder and its subfolders, all on one page.
@MainActor
final class FolderSource: GallerySource {
    private static let readers = BlockingPool(threads: 2)

    private let path: String
    private(set) var isAtEnd = false
    private(set) var total: Int?
    let isOffline = false

    init(path: String) {
        self.path = path
    }

    func next() async throws(GalleryProblem) -> [GalleryItem] {
        guard !isAtEnd else { return [] }
        do throws(PhotoFolderError) {
            let items = try await FolderSource.readers.run { [path] () throws(PhotoFolderError) in
                try FolderSource.items(of: PhotoFolder(path: path))
            }
            isAtEnd = true
            total = items.count
            return items
        } catch {
            throw problem(error)
        }
    }

    /// - Note: Reads the date of each file: call it on a thread that may block.
    private nonisolated static func items(of folder: PhotoFolder) -> [GalleryItem] {
        let prefix = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
        return folder.files.map { file in
            let path = file.path
            let relative = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
            var item = GalleryItem(id: path, name: file.deletingPathExtension().lastPathComponent, url: file)
            item.folder = (relative as NSString).deletingLastPathComponent
            item.date = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            return item
        }
    }

    private func problem(_ error: PhotoFolderError) -> GalleryProblem {
        // The checks below would access the disk again, and block the window if the disk does not respond.
        if [.timedOut, .overloaded, .cancelled].contains(error) {
            return GalleryProblem(.failed, GalleryTexts.folderSlow, details: error.message)
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return GalleryProblem(.missing, GalleryTexts.folderMissing, details: error.message)
        }
        let name = URL(fileURLWithPath: path).lastPathComponent
        guard isFolder.boolValue else { return GalleryProblem(.invalid, GalleryTexts.notAnImage(name)) }
        guard FileManager.default.isReadableFile(atPath: path) else {
            return GalleryProblem(.failed, GalleryTexts.folderUnreadable, details: error.message)
        }
        return GalleryProblem(.empty, GalleryTexts.folderEmpty, details: error.message)
    }
}
