/// The photos of an API, page by page, until there are no more.
///
/// The feed omits photos that it has returned before. It therefore ends even if an API's pages shift while they are
/// read, or if the API returns the same page forever.
@MainActor
package final class PhotoFeed {
    private let api: PhotoAPI
    private var nextPage = 1
    private var lastPage = 1
    private var known: Set<String> = []
    /// The pages requested before their turn, by number.
    private var early: [Int: Task<Result<PhotoPage, PhotoAPIError>, Never>] = [:]

    /// Whether the feed has read the last page, or a page without a new photo.
    package private(set) var isAtEnd = false
    /// The number of photos in all pages according to the latest page. `nil` before the first page.
    package private(set) var totalItems: Int?

    package init(_ api: PhotoAPI) {
        self.api = api
    }

    deinit { for task in early.values { task.cancel() } }

    /// Returns the photos of the next page, or `[]` at the end. After an error, the next call requests the same page.
    ///
    /// Call it again only after it has returned.
    ///
    /// - Parameter ahead: The number of further pages to request at the same time, which the next calls return. The
    ///   default is 0. The first page is always requested alone, because it contains the number of pages.
    package func next(ahead: Int = 0) async throws(PhotoAPIError) -> [PhotoItem] {
        guard !isAtEnd else { return [] }
        requestEarly(ahead)
        let page = try await page(nextPage)
        let fresh = page.photos.filter { known.insert($0.id).inserted }
        nextPage += 1
        (totalItems, lastPage) = (page.totalItems, page.totalPages)
        isAtEnd = fresh.isEmpty || nextPage > lastPage
        return fresh
    }

    private func requestEarly(_ ahead: Int) {
        guard ahead > 0, nextPage < lastPage else { return }
        for number in nextPage...min(nextPage + ahead, lastPage) where early[number] == nil {
            early[number] = Task { [api] in
                do throws(PhotoAPIError) {
                    return .success(try await api.page(number))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    private func page(_ number: Int) async throws(PhotoAPIError) -> PhotoPage {
        guard let task = early.removeValue(forKey: number) else { return try await api.page(number) }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }
}
