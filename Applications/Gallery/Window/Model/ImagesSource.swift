import Foundation

/// One or several images, from addresses or files.
@MainActor
final class ImagesSource: GallerySource {
    private let urls: [URL]
    private(set) var isAtEnd = false
    let isOffline = false

    init(_ urls: [URL]) {
        self.urls = urls
    }

    var total: Int? { urls.count }

    func next() async throws(GalleryProblem) -> [GalleryItem] {
        guard !isAtEnd else { return [] }
        isAtEnd = true
        var known: Set<URL> = []
        return urls.filter { known.insert($0).inserted }.map {
            GalleryItem(id: $0.absoluteString, name: $0.deletingPathExtension().lastPathComponent, url: $0)
        }
    }
}
