public import Calotype

/// A prefetcher that loads the images of the next rows while a list scrolls.
///
/// Use one prefetcher for each list. Rows report their appearance and disappearance; in SwiftUI `prefetchesImages`
/// does so. Images load a few at a time, after all images that views wait for, and only while their rows are close.
@MainActor
public final class ListPrefetcher {
    private var window: PrefetchWindow
    private var prefetcher: (loader: ImageLoader, prefetcher: Prefetcher)?
    /// The requests passed to the prefetcher, by row.
    private var asked: [Int: (identity: ImageIdentity, request: ImageRequest)] = [:]

    /// Creates a prefetcher for a list.
    ///
    /// - Parameter ahead: The number of rows to load beyond the visible rows. The default is 12.
    nonisolated public init(ahead: Int = 12) {
        window = PrefetchWindow(ahead: ahead)
    }

    /// Records that a row has appeared, and loads the images of the next rows in the direction of scrolling.
    ///
    /// - Parameters:
    ///   - count: The number of rows of the list.
    ///   - loader: The loader of the images. Changing it cancels the previous loader's prefetches.
    ///   - request: Returns the request of a row. It must equal the view's request: another size is another image.
    public func rowAppeared(_ row: Int, of count: Int, loader: ImageLoader, request: (Int) -> ImageRequest?) {
        window.appear(row)
        let prefetcher = prefetcher(for: loader)
        // The load of a row that has just appeared continues, because its view is about to join it.
        var wanted = asked.filter { window.isVisible($0.key) }
        for row in window.rows(of: count) {
            if let request = request(row) { wanted[row] = (loader.identity(of: request), request) }
        }
        let before = Set(asked.values.map(\.identity))
        let now = Set(wanted.values.map(\.identity))
        prefetcher.stop(asked.values.filter { !now.contains($0.identity) }.map(\.request))
        prefetcher.start(
            window.rows(of: count).compactMap { wanted[$0] }.filter { !before.contains($0.identity) }.map(\.request))
        asked = wanted
    }

    /// Records that a row has disappeared. When no row is visible, all prefetching stops.
    public func rowDisappeared(_ row: Int) {
        window.disappear(row)
        if window.isEmpty { stop() }
    }

    private func stop() {
        prefetcher?.prefetcher.stopAll()
        asked = [:]
    }

    private func prefetcher(for loader: ImageLoader) -> Prefetcher {
        if let prefetcher, prefetcher.loader === loader { return prefetcher.prefetcher }
        stop()
        let new = Prefetcher(loader: loader)
        prefetcher = (loader, new)
        return new
    }
}
