#if GTK
    import CGTK4
    import Calotype
    import CalotypeTesting
    import CalotypeUI
    import Foundation
    import Requirements
    import Testing

    @testable import CalotypeGTK

    @MainActor
    @Suite(.timeLimit(.minutes(2))) struct GridTests {
        @Test(.requirement("S4.24", "S4.32"))
        func `the visible rows show their own images, and only they are asked for`() async throws {
            let rows = try RowGrid(rows: 1000)
            await rows.window.frames { rows.isComplete }
            let shot = await rows.window.screenshot()
            #expect(rows.wrongCells(shot) == [])
            #expect(rows.visible.count >= 9)
            #expect(rows.grid.controller.cells.count == rows.visible.count, "no tile that nobody sees")
            #expect(rows.asked == rows.visibleRows)
            rows.window.close()
        }

        @Test(.requirement("S4.19", "D4.7"))
        func `rows that fly past ask for nothing; at rest the visible ones start, newest first`()
            async throws
        {
            let rows = try RowGrid(rows: 1000)
            await rows.window.frames { rows.isComplete }
            let before = rows.asked
            for step in 1...20 {
                rows.scroll(to: Double(step) * 700)
                await rows.window.nextFrame()
            }
            #expect(rows.asked == before)
            await rows.clock.waitForSleepers(1)
            rows.rest()
            await rows.window.frames { rows.isComplete }
            #expect(rows.asked == before.union(rows.visibleRows))
            let wrong1 = rows.wrongCells(await rows.window.screenshot())
            #expect(wrong1 == [])
            rows.window.close()
        }

        @Test(.requirement("S4.20", "B70"))
        func `while it scrolls, what is in memory is there in the frame in which its row comes`()
            async throws
        {
            let rows = try RowGrid(rows: 300)
            await rows.window.frames { rows.isComplete }
            rows.scroll(to: 3000)
            await rows.window.nextFrame()
            rows.rest()
            await rows.window.frames { rows.isComplete }
            rows.scroll(to: 0)
            let wrong2 = rows.wrongCells(await rows.window.screenshot("back at the top"))
            #expect(wrong2 == [])
            #expect(rows.queue.waiting == 0)
            rows.scroll(to: 3000)
            let wrong3 = rows.wrongCells(await rows.window.screenshot("down again"))
            #expect(wrong3 == [])
            rows.window.close()
        }

        @Test(.requirement("S4.22", "C11"), arguments: 0..<20)
        func `thrown about over a slow origin that reorders, at rest every cell has its own row`(
            seed: Int
        ) async throws {
            let rows = try RowGrid(rows: 1000, isOpen: false)
            var random = Dice(seed: UInt64(seed))
            var rested: Set<Int> = []
            await rows.window.frames { !rows.visible.isEmpty }
            rested.formUnion(rows.visibleRows)
            for _ in 0..<4 {
                for _ in 0..<6 {
                    rows.scroll(to: Double(random.number(below: Int(rows.scrollLimit))))
                    await rows.window.nextFrame()
                    // In any order, and also for rows that have long left the screen.
                    if let row = random.pick(rows.gates.waiting) { rows.gates[row].open() }
                }
                await rows.clock.waitForSleepers(1)
                rested.formUnion(rows.visibleRows)
                rows.rest()
                await rows.window.frames { rows.queue.waiting == 0 }
            }
            #expect(rows.asked.isSubset(of: rested))
            rows.gates.openAll()
            await rows.window.frames { rows.isComplete }
            let wrong4 = rows.wrongCells(await rows.window.screenshot("seed \(seed)"))
            #expect(wrong4 == [])
            rows.window.close()
        }

        @Test func `a cell that is seen and under way shows that it loads, and no other does`() async throws {
            let rows = try RowGrid(rows: 300, isOpen: false)
            await rows.window.frames { !rows.visible.isEmpty && rows.visible.allSatisfy(\.view.spins) }
            _ = await rows.window.screenshot("cells loading")
            func spinning() -> Set<Int> {
                Set(rows.grid.controller.cells.values.filter(\.view.spins).compactMap(\.id))
            }
            #expect(spinning() == rows.visibleRows)
            // During a scroll, arrived images wait, and spinners that have left the screen need not turn.
            rows.scroll(to: 2000)
            await rows.window.nextFrame()
            #expect(spinning().isEmpty)
            await rows.clock.waitForSleepers(1)
            rows.rest()
            await rows.window.frames { rows.visible.allSatisfy(\.view.spins) }
            #expect(spinning() == rows.visibleRows)
            rows.gates.openAll()
            await rows.window.frames { rows.isComplete }
            #expect(spinning().isEmpty)
            rows.window.close()
        }

        @Test func `a row inserted at the top loads nothing again, though the policy ignores caches`() async throws {
            let rows = try RowGrid(rows: 30, policy: .reloadIgnoringCache)
            await rows.window.frames { rows.isComplete }
            let before = studioRequests(rows)
            rows.grid.insert([Row(id: 2000)], at: 0)
            await rows.window.nextFrame()
            rows.rest()
            await rows.window.frames { rows.isComplete && rows.visibleRows.contains(2000) }
            let again = studioRequests(rows).dropFirst(before.count).filter { before.contains($0) }
            #expect(again.isEmpty)
            rows.window.close()
        }

        private func studioRequests(_ rows: RowGrid) -> [String] { rows.studio.origin.requests.map(\.path) }

        @Test
        func `a row inserted at the top: every load goes on, nothing is asked for twice, and rows keep their images`()
            async throws
        {
            let rows = try RowGrid(rows: 300, isOpen: false)
            await rows.window.frames { !rows.visible.isEmpty }
            let before = rows.visibleRows
            await rows.studio.origin.waitForRequests(1)
            await rows.window.nextFrame()
            rows.grid.insert([Row(id: 2000), Row(id: 2001), Row(id: 2002)], at: 0)
            await rows.window.nextFrame()
            await rows.window.nextFrame()
            rows.gates.openAll()
            rows.scroll(to: 0)
            await rows.window.nextFrame()
            rows.rest()
            await rows.window.frames { rows.isComplete }
            #expect(rows.visibleRows.isSuperset(of: [2000, 2001, 2002]))
            let wrong5 = rows.wrongCells(await rows.window.screenshot())
            #expect(wrong5 == [])
            #expect(rows.studio.origin.disconnects == 0)
            let paths = rows.studio.origin.requests.map(\.path)
            #expect(Set(paths).count == paths.count)
            #expect(rows.asked.isSuperset(of: before))
            rows.window.close()
        }

        @Test(.requirement("S4.32"))
        func `the next page is asked for near the end, never twice at once, and its rows are added`()
            async throws
        {
            let rows = try RowGrid(rows: 12)
            let gate = Gate()
            var pages = 0
            rows.grid.onNearEnd = { [weak grid = rows.grid] in
                pages += 1
                await gate.wait()
                guard let grid, pages < 3 else { return }
                grid.append((grid.count..<grid.count + 60).map { Row(id: $0) })
            }
            await rows.window.frames { pages == 1 }
            for step in 0..<5 {
                rows.scroll(to: Double(step) * 20)
                await rows.window.nextFrame()
            }
            #expect(pages == 1)
            // The adjustment includes new rows only after their layout.
            var limit = rows.scrollLimit
            gate.open()
            await rows.window.frames { rows.grid.count == 72 && rows.scrollLimit > limit + Double(GridFooter.height) }
            rows.rest()
            await rows.window.frames { rows.isComplete }
            #expect(pages == 1)
            limit = rows.scrollLimit
            rows.scroll(to: limit)
            await rows.window.frames { rows.grid.count == 132 && rows.scrollLimit > limit + Double(GridFooter.height) }
            rows.scroll(to: rows.scrollLimit)
            await rows.window.frames { pages == 3 }
            // The grid must not request an empty page again and again.
            for _ in 0..<5 { await rows.window.nextFrame() }
            #expect(pages == 3)
            #expect(rows.grid.count == 132)
            rows.window.close()
        }

        @Test(.requirement("S4.32")) func `while the next page is on its way, a line below the last row says so`()
            async throws
        {
            let rows = try RowGrid(rows: 12)
            let gate = Gate()
            rows.grid.onNearEnd = { [weak grid = rows.grid] in
                await gate.wait()
                if let grid, grid.count == 12 { grid.append([Row(id: 12)]) }
            }
            let controller = rows.grid.controller
            await rows.window.frames { controller.footer?.isShown == true && rows.isComplete }
            rows.scroll(to: rows.scrollLimit)
            await rows.window.nextFrame()
            rows.scroll(to: rows.scrollLimit)
            let shot = await rows.window.screenshot("loading more")
            #expect(controller.footer?.text == "Loading more…")
            let bottom = (0..<shot.width).map { shot.color($0, shot.height - GridFooter.height / 2) }
            #expect(Set(bottom).count > 1, "there are letters below the last row")
            gate.open()
            await rows.window.frames { controller.footer?.isShown == false && rows.grid.count == 13 }
            rows.window.close()
        }

        @Test(.requirement("S4.32")) func `a grid that starts out empty asks for its first page`() async throws {
            let rows = try RowGrid(rows: 0)
            var pages = 0
            rows.grid.onNearEnd = { [weak grid = rows.grid] in
                pages += 1
                if pages == 1 { grid?.append([Row(id: 1)]) }
            }
            await rows.window.frames { rows.isComplete }
            await rows.window.frames { pages == 2 }
            for _ in 0..<3 { await rows.window.nextFrame() }
            #expect(pages == 2)
            rows.window.close()
        }

        @Test func `a grid that moves to another window in mid-frame goes on there`() async throws {
            let rows = try RowGrid(rows: 30)
            await rows.window.frames { rows.isComplete }
            rows.scroll(to: 300)
            rows.window.release()
            rows.window.close()
            let other = TestWindow(width: 300, height: 300, rows.grid.widget)
            rows.rest()
            await other.frames { rows.isComplete }
            rows.scroll(to: 900)
            await other.nextFrame()
            rows.rest()
            await other.frames { rows.isComplete }
            #expect(rows.visibleRows.contains(28))
            other.close()
        }

        @Test func `a click and the keyboard choose the row, not the place`() async throws {
            let rows = try RowGrid(rows: 30)
            var chosen: [Int] = []
            rows.grid.onActivate = { chosen.append($0.id) }
            await rows.window.frames { rows.isComplete }
            rows.grid.remove(0..<2)
            await rows.window.nextFrame()
            rows.grid.controller.activate(0)
            #expect(chosen == [2])
            rows.grid.selectedPosition = 1
            #expect(rows.grid.controller.press(UInt32(GDK_KEY_Return)))
            #expect(chosen == [2, 3])
            rows.window.close()
        }

        @Test func `a row without an image, and one whose image fails, disturb no other`() async throws {
            let rows = try RowGrid(rows: 9)
            rows.studio.origin.on("/4", .status(404))
            await rows.window.frames { rows.visible.contains { $0.view.page == .error } }
            let failed = rows.visible.filter { $0.view.page == .error }
            await rows.window.frames { rows.visible.filter { $0.view.binder?.state.image != nil }.count == 8 }
            _ = await rows.window.screenshot("one failed")
            #expect(failed.map(\.id) == [4])
            rows.studio.origin.on("/4", .ok(try Palette.png(Palette.color(4)), type: "image/png"))
            gtk_widget_activate(failed.first?.view.retryButton)
            await rows.window.frames { rows.isComplete }
            let wrong6 = rows.wrongCells(await rows.window.screenshot("retried"))
            #expect(wrong6 == [])
            rows.window.close()
        }

        @Test(.requirement("S4.18")) func `closing the window in mid-load ends the loads, and nothing is left`()
            async throws
        {
            weak var controller: GridController<Row>?
            weak var view: PictureView?
            weak var binder: ImageBinder?
            var origin: OriginServer?
            do {
                let rows = try RowGrid(rows: 1000, isOpen: false)
                await rows.window.frames { !rows.gates.waiting.isEmpty }
                controller = rows.grid.controller
                (view, binder) = (rows.visible.first?.view, rows.visible.first?.view.binder)
                origin = rows.studio.origin
                rows.window.close()
            }
            await origin?.waitForDisconnects(1)
            let other = TestWindow(gtk_label_new("after"))
            await other.frames { controller == nil && view == nil && binder == nil }
            other.close()
        }
    }

    /// A generator with the same numbers for the same seed.
    private struct Dice {
        private var state: UInt64

        init(seed: UInt64) {
            state = seed &+ 1
        }

        mutating func number(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(max(limit, 1)))
        }

        mutating func pick<Element>(_ elements: [Element]) -> Element? {
            elements.isEmpty ? nil : elements[number(below: elements.count)]
        }
    }
#endif
