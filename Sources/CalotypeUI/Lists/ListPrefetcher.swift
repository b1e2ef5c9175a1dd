public import Calotype

/// Loads the images of the rows that come next while a list scrolls.
///
/// One for each list. Rows report here when they appear and disappear; in SwiftUI the modifier `prefetchesImages` does so.
/// Images load a few at a time, after all those that views wait for, and only until their rows are no longer next.
@MainActor
public final class ListPrefetcher {
    private var window: PrefetchWindow
    private var prefetcher: (loader: ImageLoader, prefetcher: Prefetcher)?
    /// What has been asked for, by row.
    private var asked: [Int: (identity: ImageIdentity, request: ImageRequest)] = [:]

    /// Creates a prefetcher for a list.
    ///
    /// - Parameter ahead: The number of rows in front of the visible ones. The default is 12.
    nonisolated public init(ahead: Int = 12) {
        window = PrefetchWindow(ahead: ahead)
    }

    /// Notes that a row has appeared, and loads the images of those that follow.
    ///
    /// - Parameters:
    ///   - count: The number of rows of the list.
    ///   - loader: The loader of the images. Another one than before ends what the one before has under way.
    ///   - request: Returns the request of a row, the same as the row's view makes: with another size it would be another image.
    ///     Called for the rows that come next.
    public func rowAppeared(_ row: Int, of count: Int, loader: ImageLoader, request: (Int) -> ImageRequest?) {
        window.appear(row)
        let prefetcher = prefetcher(for: loader)
        // One that has just appeared goes on: its view is about to join.
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

    /// Notes that a row has disappeared. With the last one everything ends.
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
