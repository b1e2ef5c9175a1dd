#if GTK
    /// The tiles of a grid: bound to items, displaced (unbound by the next `bind` unless it needs them), or spare.
    @MainActor
    final class GridTiles<ID: Hashable & Sendable> {
        /// The bound tiles by position.
        private(set) var bound: [Int: GridCell<ID>] = [:]
        /// The tiles displaced since the latest ``bind(_:id:make:bind:)``, by item.
        private var displaced: [ID: GridCell<ID>] = [:]
        private var spare: [GridCell<ID>] = []

        /// Displaces the tiles whose position satisfies `isGone`. The next `bind` binds a displaced tile to its item
        /// again if the item is at one of the positions to bind, and releases the other displaced tiles.
        func displace(where isGone: (Int) -> Bool) {
            for (position, cell) in bound where isGone(position) {
                bound[position] = nil
                guard let id = cell.id else { continue }
                if let twin = displaced.updateValue(cell, forKey: id) { release(twin) }
            }
        }

        /// Displaces the tiles of a replaced range of items, and shifts the positions of the tiles after the range.
        func move(by shift: Int, from range: Range<Int>) {
            displace(where: range.contains)
            let old = bound
            bound = [:]
            for (position, cell) in old {
                let moved = position >= range.upperBound ? position + shift : position
                cell.position = moved
                bound[moved] = cell
            }
        }

        /// Binds a tile to each of these positions: the displaced tile of the same item or, without one, another tile.
        func bind(
            _ positions: Range<Int>, id: (Int) -> ID, make: () -> GridCell<ID>, bind: (GridCell<ID>, Int) -> Void
        ) {
            func give(_ cell: GridCell<ID>, _ position: Int) {
                bind(cell, position)
                bound[position] = cell
            }
            for position in positions where bound[position] == nil && !displaced.isEmpty {
                if let cell = displaced.removeValue(forKey: id(position)) { give(cell, position) }
            }
            releaseDisplaced()
            for position in positions where bound[position] == nil { give(spare.popLast() ?? make(), position) }
        }

        private func release(_ cell: GridCell<ID>) {
            cell.unbind()
            spare.append(cell)
        }

        func releaseDisplaced() {
            for cell in displaced.values { release(cell) }
            displaced.removeAll()
        }

        /// Drops excess spare tiles, of which a change to larger tiles leaves many. Keeps about a screenful.
        func dropSpare(_ drop: (GridCell<ID>) -> Void) {
            while spare.count > bound.count + 24, let cell = spare.popLast() { drop(cell) }
        }
    }
#endif
