/// The images of a place, page by page.
@MainActor
protocol GallerySource: AnyObject {
    /// A Boolean value indicating whether there are no more pages.
    var isAtEnd: Bool { get }
    /// The number of images in all pages, where it is known.
    var total: Int? { get }
    /// A Boolean value indicating whether the latest page came from a cache because the server cannot be reached.
    var isOffline: Bool { get }

    /// The images of the next page. After an error, the same page is read again.
    func next() async throws(GalleryProblem) -> [GalleryItem]
}
