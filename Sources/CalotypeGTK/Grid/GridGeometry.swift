#if GTK
    /// The positions of a grid's tiles and titles, in points from the grid's top left corner.
    ///
    /// The geometry stores the number of items in each section, but no items and no widgets.
    struct GridGeometry: Hashable {
        struct Frame: Hashable {
            var x: Int
            var y: Int
            var width: Int
            var height: Int
        }

        /// Consecutive items with the same title.
        struct Section: Hashable {
            /// The title, or `nil` if the section has no title and reserves no space for it.
            var title: String?
            var items: Range<Int>
            /// The top of the title, or of the first row if there is no title.
            fileprivate(set) var top = 0
        }

        static let titleHeight = 40

        var wantedColumns: Int { didSet { if wantedColumns != oldValue { place() } } }
        /// The maximum side of a tile: if tiles would be wider, there are more columns than requested. 0 is no limit.
        var greatestSide = 0 { didSet { if greatestSide != oldValue { place() } } }
        /// The actual number of columns, which keeps tiles from being too narrow or too wide.
        private(set) var columns: Int
        /// The height of the area below the last row, in points. 0 if there is no such area.
        var footer = 0 { didSet { if footer != oldValue { place() } } }
        /// The width of the grid, including margins. 0 before the first layout, when nothing has a position.
        var width = 0 { didSet { if width != oldValue { place() } } }
        private let spacing: Int
        private let margin: Int
        private let leastSide: Int
        private(set) var sections: [Section] = []
        private(set) var height = 0

        init(columns: Int, spacing: Int, margin: Int, leastSide: Int = 0) {
            (wantedColumns, self.columns) = (columns, columns)
            (self.spacing, self.margin, self.leastSide) = (spacing, margin, leastSide)
        }

        var count: Int { sections.last?.items.upperBound ?? 0 }

        var side: Int { max((width - 2 * margin - (columns - 1) * spacing) / columns, 1) }

        /// Returns the height for another width, without changing the geometry.
        func height(forWidth width: Int) -> Int {
            guard width != self.width else { return height }
            var other = self
            other.width = width
            return other.height
        }

        mutating func removeAll() {
            sections = []
            place()
        }

        /// Appends one item for each title. An item with the title of the last section joins that section.
        mutating func append(_ titles: some Sequence<String?>) {
            for title in titles {
                if let last = sections.indices.last, sections[last].title == title {
                    sections[last].items = sections[last].items.lowerBound..<sections[last].items.upperBound + 1
                } else {
                    sections.append(Section(title: title, items: count..<count + 1))
                }
            }
            place()
        }

        private mutating func place() {
            columns = wantedColumns
            if width > 0, greatestSide > 0 { columns = max(columns, tiles(of: greatestSide + 1) + 1) }
            if width > 0, leastSide > 0 { columns = min(columns, max(tiles(of: leastSide), 1)) }
            var top = margin
            for index in sections.indices {
                sections[index].top = top
                top += titleHeight(of: sections[index]) + rows(of: sections[index]) * (side + spacing)
            }
            height = sections.isEmpty ? 0 : max(top - spacing + margin, 0) + footer
        }

        /// Returns the number of tiles with this side, in points, that fit next to each other.
        private func tiles(of side: Int) -> Int { (width - 2 * margin + spacing) / (side + spacing) }

        private func titleHeight(of section: Section) -> Int { section.title == nil ? 0 : GridGeometry.titleHeight }

        private func rows(of section: Section) -> Int { (section.items.count + columns - 1) / columns }
    }

    // MARK: Positions of items

    extension GridGeometry {
        func frame(at position: Int) -> Frame {
            let section = sections[sectionIndex(ofItem: position)]
            let index = position - section.items.lowerBound
            let row = index / columns
            return Frame(
                x: left + index % columns * (side + spacing),
                y: section.top + titleHeight(of: section) + row * (side + spacing), width: side, height: side)
        }

        func titleFrame(of section: Int) -> Frame {
            Frame(x: left, y: sections[section].top, width: max(width - 2 * left, 0), height: GridGeometry.titleHeight)
        }

        /// The frame of the area below the last row.
        var footerFrame: Frame { Frame(x: 0, y: height - footer, width: width, height: footer) }

        /// The left margin. Both margins share the remainder of the division, so that all tiles have the same size.
        private var left: Int {
            let used = columns * side + (columns - 1) * spacing
            return max((width - used) / 2, 0)
        }

        private func sectionIndex(ofItem position: Int) -> Int {
            firstSection { $0.items.upperBound > position }
        }

        /// Returns the index of the first section that satisfies `holds`, as all later sections must.
        private func firstSection(where holds: (Section) -> Bool) -> Int {
            var (low, high) = (0, sections.count)
            while low < high {
                let middle = (low + high) / 2
                if holds(sections[middle]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
    }

    // MARK: Items at a position

    extension GridGeometry {
        /// Returns the items that intersect a vertical range.
        func items(in range: Range<Double>) -> Range<Int> {
            guard width > 0, count > 0, !range.isEmpty else { return 0..<0 }
            let first = firstItem(endingBelow: range.lowerBound)
            let last = firstItem(startingAtOrBelow: range.upperBound)
            return first..<max(first, last)
        }

        /// Returns the sections whose titles intersect a vertical range.
        func titles(in range: Range<Double>) -> [Int] {
            guard width > 0 else { return [] }
            let height = Double(GridGeometry.titleHeight)
            var index = firstSection { Double($0.top) + height > range.lowerBound }
            var found: [Int] = []
            while index < sections.count, Double(sections[index].top) < range.upperBound {
                if sections[index].title != nil { found.append(index) }
                index += 1
            }
            return found
        }

        func item(atX x: Double, y: Double) -> Int? {
            items(in: y..<y.nextUp).first {
                let frame = frame(at: $0)
                return (Double(frame.x)..<Double(frame.x + frame.width)).contains(x)
                    && (Double(frame.y)..<Double(frame.y + frame.height)).contains(y)
            }
        }

        private func firstItem(endingBelow y: Double) -> Int {
            let index = firstSection { Double(bottom(of: $0)) > y }
            guard index < sections.count else { return count }
            let section = sections[index]
            let above = y - Double(section.top + titleHeight(of: section))
            let row = above < 0 ? 0 : Int(above) / (side + spacing)
            // Skip a row if the range begins in the gap below it.
            let isInGap = above >= 0 && Int(above) % (side + spacing) >= side
            return min(section.items.lowerBound + (row + (isInGap ? 1 : 0)) * columns, section.items.upperBound)
        }

        private func firstItem(startingAtOrBelow y: Double) -> Int {
            let index = max(firstSection { Double($0.top) >= y } - 1, 0)
            let section = sections[index]
            let above = y - Double(section.top + titleHeight(of: section))
            guard above > 0 else { return section.items.lowerBound }
            let row = Int((above / Double(side + spacing)).rounded(.up))
            return min(section.items.lowerBound + row * columns, section.items.upperBound)
        }

        private func bottom(of section: Section) -> Int {
            section.top + titleHeight(of: section) + rows(of: section) * (side + spacing) - spacing
        }
    }

    // MARK: Keyboard navigation

    extension GridGeometry {
        enum Step: Hashable { case left, right, up, down, first, last }

        /// Returns the item that a step leads to; at an edge, the same item.
        func item(from position: Int, _ step: Step) -> Int {
            switch step {
            case .left: max(position - 1, 0)
            case .right: min(position + 1, count - 1)
            case .up: item(from: position, rows: -1)
            case .down: item(from: position, rows: 1)
            case .first: 0
            case .last: count - 1
            }
        }

        /// Returns the item `rows` rows below (above if negative) in the same column, or the last item of that row.
        func item(from position: Int, rows: Int) -> Int {
            var current = position
            for _ in 0..<abs(rows) {
                guard let next = neighbor(of: current, isBelow: rows > 0) else { break }
                current = next
            }
            return current
        }

        private func neighbor(of position: Int, isBelow: Bool) -> Int? {
            let index = sectionIndex(ofItem: position)
            let section = sections[index]
            let (row, column) = (position - section.items.lowerBound).quotientAndRemainder(dividingBy: columns)
            if isBelow, row + 1 < rows(of: section) {
                return min(position + columns, section.items.upperBound - 1)
            }
            if !isBelow, row > 0 { return position - columns }
            let other = isBelow ? index + 1 : index - 1
            guard sections.indices.contains(other) else { return nil }
            let target = sections[other]
            let start = isBelow ? 0 : (rows(of: target) - 1) * columns
            return min(target.items.lowerBound + start + column, target.items.upperBound - 1)
        }
    }
#endif
