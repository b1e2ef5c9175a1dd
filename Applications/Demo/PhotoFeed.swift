/// The pages of an API, one after the other, until it has no more.
///
/// What it has given before is left out: an API whose pages move while they are read, or that gives the same page for
/// ever, comes to an end all the same.
@MainActor
package final class PhotoFeed {
    private let api: PhotoAPI
    private var nextPage = 1
    private var known: Set<String> = []

    /// A Boolean value indicating whether the last page was read, or one with nothing new in it.
    package private(set) var isAtEnd = false
    /// The number of photos in all pages, as the latest page has it. `nil` before the first page.
    package private(set) var totalItems: Int?

    package init(_ api: PhotoAPI) {
        self.api = api
    }

    /// The photos of the next page; none at the end. After an error, the same page is asked for again.
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
