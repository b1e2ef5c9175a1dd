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

    func next() async throws(GalleryProblem) -> [GalleryItem] {
        guard !isAtEnd else { return [] }
        isAtEnd = true
        return urls.map {
            GalleryItem(id: $0.absoluteString, name: $0.deletingPathExtension().lastPathComponent, url: $0)
        }
    }
}
