package import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeUI
import Foundation

/// The images of the open location in their display order, or the problem that prevents their display.
///
/// The window, the grid and the viewer share the model, and refer to images by their positions in ``items``.
@MainActor
package final class GalleryModel {
    /// The content of the window.
    package enum Phase: Hashable, Sendable {
        /// No location has been opened.
        case welcome
        case loading
        /// There are images, although the search may match none of them.
        case images
        case problem(GalleryProblem)
    }

    package enum Change: Hashable, Sendable {
        /// Any item may have changed.
        case items
        /// Items were added at the end, from this position.
        case added(from: Int)
        /// The phase, the count or the connection changed; the items are the same.
        case status
    }

    /// The loader of all images, for the tiles and for the viewer.
    package let loader: ImageLoader
    /// The recorder of all loads that have ended, for the panel "What Happens".
    package let log: LoadRecorder

    package private(set) var place: GalleryLocation?
    package private(set) var phase = Phase.welcome
    package private(set) var items: [GalleryItem] = []
    /// Whether the server cannot be reached, so that cached images are shown.
    package private(set) var isOffline = false
    /// The problem with the latest page, if earlier pages are shown.
    package private(set) var pageProblem: GalleryProblem?
    /// A sentence about images that are missing from ``items``, such as those of a folder that cannot be read.
    package private(set) var notice: String?
    package var onChange: (@MainActor (Change) -> Void)?

    /// The text that names must contain. The default is empty, which matches all images.
    package var search = "" {
        didSet { if search != oldValue { arrangeAll() } }
    }
    /// The grouping into sections, which also determines the order.
    package var grouping = GalleryGrouping.folder {
        didSet { if grouping != oldValue { arrangeAll() } }
    }

    private var source: (any GallerySource)?
    private var all: [GalleryItem] = []
    /// The page being read. Every caller waits for it: two requests at once would read the same page twice, and the
    /// second, without a new image, would look like the end.
    private var reading: Task<Void, Never>?

    /// - Parameter options: The loader's options, to which ``LoadRecorder`` is added.
    package init(_ options: ImageLoaderOptions = .forGallery) {
        let log = LoadRecorder()
        var options = options
        let others = options.onMetrics
        options.onMetrics = { metrics in
            log.record(metrics)
            others?(metrics)
        }
        self.log = log
        loader = ImageLoader(options)
    }

    deinit { reading?.cancel() }

    /// The number of all images of the location, including those that do not match the search and, if the source knows
    /// their number, those on later pages.
    package var total: Int { max(all.count, source?.total ?? 0) }

    /// The number of images in ``items`` and, without a search and if the source knows their number, on later pages.
    package var count: Int { search.isEmpty ? total : items.count }

    /// The policy of image requests. Offline, the loader reads only its cache, even if images are stale; online, `nil`
    /// selects the loader's default.
    package var policy: CachePolicy? { isOffline ? .returnCacheDontLoad : nil }

    /// Returns the title of the section that an image belongs to; `nil` if the image has no section.
    package func section(of item: GalleryItem) -> String? {
        switch grouping {
        case .nothing: nil
        case .folder: hasFolders ? item.folder.map { $0.isEmpty ? place?.title ?? "" : $0 } : nil
        case .date: item.url?.isFileURL == true ? item.date.map(month) ?? GalleryTexts.withoutDate : nil
        }
    }

    private var hasFolders = false

    private static let calendar = Calendar.current
    private var months: [DateComponents: String] = [:]

    /// Returns a text such as "November 2026". Cached, because formatting takes longer than all other steps for a tile.
    private func month(_ date: Date) -> String {
        let month = GalleryModel.calendar.dateComponents([.year, .month], from: date)
        if let known = months[month] { return known }
        let text = date.formatted(.dateTime.month(.wide).year())
        months[month] = text
        return text
    }
}

extension ImageLoaderOptions {
    /// The options of the gallery: the memory cache holds a few screens of tiles.
    package static var forGallery: ImageLoaderOptions {
        var options = ImageLoaderOptions()
        options.memory.costLimit = min(options.memory.costLimit, 160 << 20)
        options.memory.entryCostLimit = options.memory.costLimit / 2
        return options
    }
}

// MARK: Opening

extension GalleryModel {
    /// - Parameter texts: The address or path of one location, or the addresses and paths of several images.
    package func open(_ texts: [String]) {
        do throws(GalleryProblem) {
            open(try texts.count == 1 ? GalleryLocation(texts[0]) : GalleryLocation(images: texts))
        } catch {
            leave(for: nil)
            phase = .problem(error)
            onChange?(.items)
        }
    }

    package func open(_ place: GalleryLocation) {
        leave(for: place)
        let source: any GallerySource =
            switch place.kind {
            case .folder: FolderSource(path: LocalPath(fileURL: place.url) ?? "/")
            case .feed: FeedSource(place.url, loader: loader)
            case .image: ImagesSource(place.images)
            }
        self.source = source
        phase = .loading
        onChange?(.items)
        startReading(source, ahead: 0)
    }

    package func reload() {
        if let place { open(place) }
    }

    package var hasMore: Bool { source?.isAtEnd == false }

    /// The number of pages that are requested before their turn when all pages are read.
    private static let pagesAhead = 3

    /// Reads the next page, if there is one, and further pages for as long as a closure returns `true` and no page
    /// fails. Returns when they have been added.
    ///
    /// - Parameter goesOn: Called before and after each page. By default, one page is read.
    package func loadMore(while goesOn: @MainActor () -> Bool = { false }) async {
        guard let source else { return }
        repeat {
            await (reading ?? startReading(source, ahead: goesOn() ? GalleryModel.pagesAhead : 0)).value
        } while goesOn() && source === self.source && phase == .images && pageProblem == nil && !source.isAtEnd
    }

    @discardableResult
    private func startReading(_ source: any GallerySource, ahead: Int) -> Task<Void, Never> {
        let task = Task { [weak self] in
            await self?.addPage(of: source, ahead)
            if let self, source === self.source { reading = nil }
        }
        reading = task
        return task
    }

    private func leave(for place: GalleryLocation?) {
        reading?.cancel()
        reading = nil
        (self.place, source, all, items) = (place, nil, [], [])
        (isOffline, pageProblem, notice, hasFolders) = (false, nil, nil, false)
    }

    private func addPage(of source: any GallerySource, _ ahead: Int) async {
        guard !source.isAtEnd else { return }
        do throws(GalleryProblem) {
            let page = try await source.next(ahead: ahead)
            // The user may have opened another location meanwhile.
            guard source === self.source else { return }
            pageProblem = nil
            notice = source.notice
            add(page, isOffline: source.isOffline)
        } catch {
            guard source === self.source else { return }
            // Images on the screen stay, and the window shows the problem as a toast.
            if all.isEmpty { phase = .problem(error) } else { pageProblem = error }
            onChange?(.status)
        }
    }

    private func add(_ page: [GalleryItem], isOffline: Bool) {
        let isFirst = all.isEmpty
        self.isOffline = isOffline
        all += page
        guard !all.isEmpty else {
            phase = .problem(GalleryProblem(.empty, GalleryTexts.serverEmpty))
            onChange?(.status)
            return
        }
        phase = .images
        if isFirst { return arrangeAll() }
        let count = items.count
        items += page.filter(matches)
        onChange?(.added(from: count))
    }
}

// MARK: The order

extension GalleryModel {
    private func arrangeAll() {
        hasFolders = Set(all.lazy.compactMap(\.folder)).count > 1
        let found = search.isEmpty ? all : all.filter(matches)
        // Keep a server's order: if the first pages were sorted, the next pages would follow unsorted.
        items = grouping == .date && place?.kind == .folder ? found.sorted(by: GalleryModel.isNewer) : found
        if hasFolders, grouping == .folder { items = GalleryModel.byFolder(items) }
        onChange?(.items)
    }

    private func matches(_ item: GalleryItem) -> Bool {
        search.isEmpty || item.name.range(of: search, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }

    private static func isNewer(_ left: GalleryItem, _ right: GalleryItem) -> Bool {
        (left.date ?? .distantPast, right.id) > (right.date ?? .distantPast, left.id)
    }

    /// Groups images by folder, because the order of paths may separate images of one folder: "a.jpg", "a/b.jpg",
    /// "b.jpg".
    private static func byFolder(_ items: [GalleryItem]) -> [GalleryItem] {
        Dictionary(grouping: items) { $0.folder ?? "" }.sorted { $0.key < $1.key }.flatMap(\.value)
    }
}
