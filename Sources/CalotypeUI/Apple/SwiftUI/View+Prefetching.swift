#if canImport(SwiftUI)
    public import Calotype
    public import SwiftUI

    extension View {
        /// Loads the images of the next items in a list when this row appears.
        ///
        /// ```swift
        /// @State private var prefetcher = ListPrefetcher()
        ///
        /// List(photos) { photo in
        ///     RemoteImage(thumbnail(photo))
        ///         .prefetchesImages(after: photo, in: photos, with: prefetcher, request: thumbnail)
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - item: The item of this row. An item outside the list prefetches nothing.
        ///   - items: All items of the list, in order.
        ///   - prefetcher: The prefetcher shared by all rows of the list.
        ///   - request: Returns the request of an item, identical to the one in its row, including the size.
        public func prefetchesImages<Items: RandomAccessCollection>(
            after item: Items.Element, in items: Items, with prefetcher: ListPrefetcher,
            request: @escaping (Items.Element) -> ImageRequest?
        ) -> some View where Items.Element: Identifiable {
            modifier(Prefetching(item: item, items: items, prefetcher: prefetcher, request: request))
        }
    }

    private struct Prefetching<Items: RandomAccessCollection>: ViewModifier where Items.Element: Identifiable {
        @Environment(\.imageLoader) private var loader
        let item: Items.Element
        let items: Items
        let prefetcher: ListPrefetcher
        let request: (Items.Element) -> ImageRequest?
        /// The row's position when it appeared; it may have moved since.
        @State var row: Int?

        func body(content: Content) -> some View {
            content.onAppear(perform: appear).onDisappear(perform: disappear)
        }

        private func appear() {
            guard let index = items.firstIndex(where: { $0.id == item.id }) else { return }
            let row = items.distance(from: items.startIndex, to: index)
            self.row = row
            prefetcher.rowAppeared(row, of: items.count, loader: loader) { row in
                request(items[items.index(items.startIndex, offsetBy: row)])
            }
        }

        private func disappear() {
            if let row { prefetcher.rowDisappeared(row) }
        }
    }
#endif
