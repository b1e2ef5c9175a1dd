import Foundation

/// One image, at an address or in a file.
@MainActor
final class SingleImageSource: GallerySource {
    private let url: URL
    private(set) var isAtEnd = false
    let total: Int? = 1
    let isOffline = false

    init(_ url: URL) {
        self.url = url
    }

    func next() async throws(GalleryProblem) -> [GalleryItem] {
        guard !isAtEnd else { return [] }
        isAtEnd = true
        let name = url.deletingPathExtension().lastPathComponent
        return [GalleryItem(id: url.absoluteString, name: name, url: url)]
    }
}
