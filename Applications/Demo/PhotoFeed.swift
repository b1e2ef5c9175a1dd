/// The photos of an API, page by page, until there are no more.
///
/// The feed omits photos that it has returned before. It therefore ends even if an API's pages shift while they are
/// read, or if the API returns the same page forever.
@MainActor
package final class PhotoFeed {
    private let api: PhotoAPI
    private var nextPage = 1
    private var known: Set<String> = []

    /// Whether the feed has read the last page, or a page without a new photo.
    package private(set) var isAtEnd = false
    /// The number of photos in all pages according to the latest page. `nil` before the first page.
    package private(set) var totalItems: Int?

    package init(_ api: PhotoAPI) {
        self.api = api
    }

    /// Returns the photos of the next page, or `[]` at the end. After an error, the next call requests the same page.
    package func next() async throws(PhotoAPIError) -> [PhotoItem] {
        guard !isAtEnd else { return [] }
        let page = try await api.page(nextPage)
        let fresh = page.photos.filter { known.insert($0.id).inserted }
        nextPage += 1
        totalItems = page.totalItems
        isAtEnd = fresh.isEmpty || nextPage > page.totalPages
        return fresh
    }
}
