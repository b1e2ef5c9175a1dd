import CalotypeBase
import CalotypeDemo
import CalotypeHTTP
import Foundation

/// One or several images, from addresses or files.
@MainActor
final class ImagesSource: GallerySource {
    private let urls: [URL]
    private(set) var isAtEnd = false
    let isOffline = false

    /// Creates a source of these images, without duplicate URLs.
    init(_ urls: [URL]) {
        var known: Set<URL> = []
        self.urls = urls.filter { known.insert($0).inserted }
    }

    var total: Int? { urls.count }

    func next(ahead _: Int) async throws(GalleryProblem) -> [GalleryItem] {
        guard !isAtEnd else { return [] }
        isAtEnd = true
        return urls.map {
            let name = LocalPath(fileURL: $0)?.title ?? $0.deletingPathExtension().lastPathComponent
            return GalleryItem(id: $0.absoluteString, name: name, url: $0)
        }
    }
}
