/// The images of a location, page by page.
@MainActor
protocol GallerySource: AnyObject {
    var isAtEnd: Bool { get }
    /// The number of images in all pages; `nil` if it is unknown.
    var total: Int? { get }
    /// Whether the latest page came from a cache because the server cannot be reached.
    var isOffline: Bool { get }

    /// A sentence about images that are missing from the pages read so far; `nil` if no image is missing.
    var notice: String? { get }

    /// Returns the images of the next page. After an error, the next call reads the same page again.
    ///
    /// - Parameter ahead: The number of further pages that the source may request at the same time, because the next
    ///   calls will follow.
    func next(ahead: Int) async throws(GalleryProblem) -> [GalleryItem]
}

extension GallerySource {
    var notice: String? { nil }

    func next() async throws(GalleryProblem) -> [GalleryItem] { try await next(ahead: 0) }
}
