#if GTK
    import CAdwaita
    import Calotype
    import CalotypeGTK
    import CalotypeUI
    import Foundation

    /// The grid of the open location's images.
    @MainActor
    final class GridPage {
        let grid: RemoteImageGrid<GalleryItem>
        private let model: GalleryModel
        var onOpen: (@MainActor (_ index: Int) -> Void)?

        /// - Parameter columns: If `nil`, the width of the window determines the number of columns.
        init(_ model: GalleryModel, columns: Int?) {
            self.model = model
            var options = RemoteImageOptions(loader: model.loader)
            // The viewer plays animations. Tiles show only the first frame: moving tiles would distract.
            options.plays = .firstFrame
            grid = RemoteImageGrid(style: GridPage.style, options: options) { [weak model] in
                $0.tileRequest(policy: model?.policy)
            } label: {
                $0.name
            }
            setColumns(columns)
            calotype_set_accessible_label(grid.widget, GalleryTexts.images)
            grid.zoomRange = GallerySettings.columnRange
            grid.sectionTitle = { [weak model] in model?.section(of: $0) }
            grid.onActivate = { [weak self] _ in
                if let self, let index = grid.selectedPosition { onOpen?(index) }
            }
        }

        private static var style: GridStyle {
            var style = GridStyle()
            style.spacing = 12
            style.margin = 12
            style.cornerRadius = 10
            style.loading = .shimmer
            style.showsCaptions = true
            // With this width, three columns fit on a phone.
            style.leastTileWidth = 100
            return style
        }

        var widget: Widget { grid.widget }

        func setColumns(_ columns: Int?) {
            grid.columns = columns ?? GallerySettings.columnRange.lowerBound
            if columns == nil { grid.greatestTileWidth = 280 }
        }

        func show(_ change: GalleryModel.Change) {
            switch change {
            case .items: grid.replaceAll(with: model.items)
            case .added(let first): grid.append(Array(model.items[first...]))
            case .status: break
            }
            if model.hasMore {
                grid.onNearEnd = { [weak model, weak grid] in
                    await model?.loadMore { grid?.isGoingToEnd == true }
                }
            } else {
                grid.onNearEnd = nil
            }
        }

        func frame(at index: Int, in ancestor: Widget) -> CGRect? {
            grid.frame(at: index, in: ancestor).map { CGRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }
        }

        func tileRequest(at index: Int) -> ImageRequest? {
            model.items.indices.contains(index) ? grid.shownRequest(for: model.items[index].id) : nil
        }
    }
#endif
