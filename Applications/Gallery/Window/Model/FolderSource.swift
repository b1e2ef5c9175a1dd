import CalotypeBase
import CalotypeDemo
import CalotypeHTTP
import Foundation

/// The images of a folder and its subfolders, all on one page.
@MainActor
final class FolderSource: GallerySource {
    private static let readers = BlockingPool(threads: 2)

    private let path: LocalPath
    private(set) var isAtEnd = false
    private(set) var total: Int?
    private(set) var notice: String?
    let isOffline = false

    init(path: LocalPath) {
        self.path = path
    }

    func next(ahead _: Int) async throws(GalleryProblem) -> [GalleryItem] {
        guard !isAtEnd else { return [] }
        do throws(PhotoFolderError) {
            let (items, unread) = try await FolderSource.readers.run { [path] () throws(PhotoFolderError) in
                let folder = try PhotoFolder(path: path)
                return (
                    FolderSource.items(of: folder), folder.problems.map { FolderSource.below(folder.path, $0.folder) }
                )
            }
            isAtEnd = true
            notice = unread.isEmpty ? nil : GalleryTexts.foldersUnread(unread.map(\.description))
            total = items.count
            return items
        } catch {
            throw problem(error)
        }
    }

    /// - Note: Reads the date of each file: call it on a thread that may block.
    private nonisolated static func items(of folder: PhotoFolder) -> [GalleryItem] {
        folder.files.map { file in
            let relative = below(folder.path, file)
            // The text of a URL is unique, also for names that differ in bytes that are not UTF-8 alone.
            var item = GalleryItem(id: file.text ?? file.url.absoluteString, name: file.title, url: file.url)
            item.folder = relative.folder.description
            item.date = file.modificationTime.map(Date.init(timeIntervalSince1970:))
            return item
        }
    }

    private nonisolated static func below(_ folder: LocalPath, _ path: LocalPath) -> LocalPath {
        let prefix = folder.appending("").bytes
        return LocalPath(path.bytes.hasPrefix(prefix) ? path.bytes.dropFirst(prefix.count) : path.bytes)
    }

    private func problem(_ error: PhotoFolderError) -> GalleryProblem {
        // The checks below would access the disk again, and block the window if the disk does not respond.
        if [.timedOut, .overloaded, .cancelled].contains(error) {
            return GalleryProblem(.failed, GalleryTexts.folderSlow, details: error.message)
        }
        guard path.exists else {
            return GalleryProblem(.missing, GalleryTexts.folderMissing, details: error.message)
        }
        guard path.isFolder else { return GalleryProblem(.invalid, GalleryTexts.notAnImage(path.name.displayed)) }
        if error.isUnread {
            return GalleryProblem(.failed, GalleryTexts.subfolderUnreadable, details: error.message)
        }
        guard path.isReadable else {
            return GalleryProblem(.failed, GalleryTexts.folderUnreadable, details: error.message)
        }
        return GalleryProblem(.empty, GalleryTexts.folderEmpty, details: error.message)
    }
}
