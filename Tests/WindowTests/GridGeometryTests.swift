#if GTK
    import CalotypeTesting
    import Testing

    @testable import CalotypeGTK

    /// The positions of tiles, without a window.
    @Suite struct GridGeometryTests {
        private func geometry(_ titles: [String?], columns: Int = 3, width: Int = 324) -> GridGeometry {
            var geometry = GridGeometry(columns: columns, spacing: 12, margin: 12)
            geometry.append(titles)
            geometry.width = width
            return geometry
        }

        @Test func `tiles of one size share the width with margins and gutters`() {
            let geometry = geometry([nil, nil, nil, nil])
            #expect(geometry.side == 92)
            #expect(geometry.frame(at: 0) == .init(x: 12, y: 12, width: 92, height: 92))
            #expect(geometry.frame(at: 2) == .init(x: 220, y: 12, width: 92, height: 92))
            #expect(geometry.frame(at: 3) == .init(x: 12, y: 116, width: 92, height: 92))
            #expect(geometry.height == 220)
            #expect(geometry.height(forWidth: 324) == 220)
            #expect(geometry.height(forWidth: 636) == 428)
        }

        @Test(arguments: [(360, 3), (256, 2), (120, 1), (1100, 5)])
        func `where tiles would be too narrow, there are fewer columns`(_ width: Int, _ columns: Int) {
            var geometry = GridGeometry(columns: 5, spacing: 12, margin: 12, leastSide: 100)
            geometry.append([nil, nil, nil, nil, nil, nil])
            geometry.width = width
            #expect(geometry.columns == columns)
            #expect(geometry.side >= 96)
            #expect(geometry.wantedColumns == 5)
        }

        @Test(arguments: [(360, 2, 162), (1100, 4, 260), (1184, 4, 281), (1188, 5, 223), (1600, 6, 252)])
        func `where tiles would be too wide, there are more columns`(_ width: Int, _ columns: Int, _ side: Int) {
            var geometry = GridGeometry(columns: 2, spacing: 12, margin: 12, leastSide: 100)
            geometry.append([nil, nil, nil, nil, nil, nil])
            geometry.width = width
            geometry.greatestSide = 281
            #expect(geometry.columns == columns)
            #expect(geometry.side == side)
            geometry.greatestSide = 0
            #expect(geometry.columns == 2)
        }

        @Test func `what stands below the last row is as wide as the grid`() {
            var geometry = geometry([nil, nil, nil, nil])
            geometry.footer = 48
            #expect(geometry.height == 268)
            #expect(geometry.footerFrame == .init(x: 0, y: 220, width: 324, height: 48))
        }

        @Test func `each section begins with its title and a new row`() {
            let geometry = geometry(["A", "A", "A", "A", "B"])
            #expect(geometry.sections.map(\.items) == [0..<4, 4..<5])
            #expect(geometry.titleFrame(of: 0).y == 12)
            #expect(geometry.frame(at: 0).y == 52)
            #expect(geometry.titleFrame(of: 1).y == 260)
            #expect(geometry.frame(at: 4) == .init(x: 12, y: 300, width: 92, height: 92))
        }

        @Test func `items added later continue the last section`() {
            var geometry = geometry(["A", "A"])
            geometry.append(["A", "B"])
            #expect(geometry == self.geometry(["A", "A", "A", "B"]))
        }

        @Test(arguments: 0..<200)
        func `what is within a range of heights is what a look at every tile finds`(seed: UInt64) {
            var random = SplitMix(seed: seed)
            let titles: [String?] = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Bool.random(using: &random) ? nil : ["A", "B", "C"].randomElement(using: &random)
            }
            let geometry = geometry(
                titles, columns: .random(in: 1...8, using: &random), width: .random(in: 200...900, using: &random))
            let top = Double.random(in: -200...Double(geometry.height + 100), using: &random)
            let range = top..<top + Double.random(in: 0.5...500, using: &random)
            let found = geometry.items(in: range)
            let expected = titles.indices.filter {
                let frame = geometry.frame(at: $0)
                return Double(frame.y) < range.upperBound && Double(frame.y + frame.height) > range.lowerBound
            }
            #expect(Array(found) == expected)
            let shown = geometry.titles(in: range)
            let expectedTitles = geometry.sections.indices.filter {
                let frame = geometry.titleFrame(of: $0)
                return geometry.sections[$0].title != nil && Double(frame.y) < range.upperBound
                    && Double(frame.y + frame.height) > range.lowerBound
            }
            #expect(shown == expectedTitles)
        }

        @Test func `a point between two tiles is on neither`() {
            let geometry = geometry([nil, nil, nil, nil])
            #expect(geometry.item(atX: 20, y: 20) == 0)
            #expect(geometry.item(atX: 110, y: 20) == nil)
            #expect(geometry.item(atX: 120, y: 20) == 1)
            #expect(geometry.item(atX: 20, y: 110) == nil)
            #expect(geometry.item(atX: 130, y: 120) == nil)
        }

        @Test func `the arrow keys move across sections and stop at the edges`() {
            // A: 0 1 2 / 3, B: 4 5
            let geometry = geometry(["A", "A", "A", "A", "B", "B"])
            #expect(geometry.item(from: 0, .left) == 0)
            #expect(geometry.item(from: 5, .right) == 5)
            #expect(geometry.item(from: 0, .down) == 3)
            #expect(geometry.item(from: 2, .down) == 3, "the last of a shorter row")
            #expect(geometry.item(from: 3, .down) == 4)
            #expect(geometry.item(from: 5, .up) == 3)
            #expect(geometry.item(from: 1, .up) == 1)
            #expect(geometry.item(from: 5, .down) == 5)
            #expect(geometry.item(from: 0, rows: 9) == 4)
            #expect(geometry.item(from: 4, .first) == 0)
            #expect(geometry.item(from: 0, .last) == 5)
        }
    }
#endif
