#if GTK
    import CGTK4
    import CalotypeTesting
    import Testing

    @testable import CalotypeGTK

    /// Home and End, in lists that are complete and in lists that grow at their end.
    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct GridEndTests {
        private static let end = UInt32(GDK_KEY_End)

        @Test func `the first End selects the last item, and the first Home the first`() async throws {
            let rows = try RowGrid(rows: 90)
            await rows.window.frames { rows.isComplete }
            #expect(rows.grid.controller.press(GridEndTests.end))
            #expect(rows.grid.selectedPosition == 89)
            await rows.window.frames { rows.visibleRows.contains(89) }
            rows.grid.selectedPosition = nil
            #expect(rows.grid.controller.press(UInt32(GDK_KEY_Home)))
            #expect(rows.grid.selectedPosition == 0)
            await rows.window.frames { rows.visibleRows.contains(0) }
            rows.window.close()
        }

        /// Lets a grid of 30 items grow by 30 with each call of `onNearEnd`, after a gate, up to a number of items.
        private func grow(_ rows: RowGrid, to limit: Int, gate: Gate = Gate(isOpen: true), onCall: @escaping () -> Void)
        {
            rows.grid.onNearEnd = { [weak grid = rows.grid] in
                onCall()
                await gate.wait()
                guard let grid, grid.count < limit else { return }
                grid.append((grid.count..<grid.count + 30).map { Row(id: $0) })
                if grid.count == limit { grid.onNearEnd = nil }
            }
        }

        @Test func `End goes on to the end of a list that grows, and its last item is seen`() async throws {
            let rows = try RowGrid(rows: 30)
            await rows.window.frames { rows.isComplete }
            var calls = 0
            grow(rows, to: 600) { calls += 1 }
            #expect(rows.grid.controller.press(GridEndTests.end))
            #expect(rows.grid.isGoingToEnd)
            await rows.window.frames { rows.grid.count == 600 && !rows.grid.isGoingToEnd }
            #expect(rows.grid.selectedPosition == 599)
            #expect(rows.visibleRows.contains(599))
            #expect(calls == 19)
            await rows.clock.waitForSleepers(1)
            rows.rest()
            await rows.window.frames { rows.isComplete }
            #expect(rows.asked.isDisjoint(with: 60..<570), "images on the way are not loaded")
            rows.window.close()
        }

        @Test func `End goes on if it is pressed after a page's items have come, and before the call returns`()
            async throws
        {
            let rows = try RowGrid(rows: 30)
            await rows.window.frames { rows.isComplete }
            let gate = Gate()
            var calls = 0
            rows.grid.onNearEnd = { [weak grid = rows.grid] in
                calls += 1
                guard let grid, grid.count < 120 else { return }
                grid.append((grid.count..<grid.count + 30).map { Row(id: $0) })
                await gate.wait()
            }
            let controller = rows.grid.controller
            rows.scroll(to: gtk_adjustment_get_upper(controller.adjustment))
            await rows.window.frames { calls == 1 && rows.grid.count == 60 }
            #expect(controller.press(GridEndTests.end))
            gate.open()
            await rows.window.frames { rows.grid.count == 120 && !rows.grid.isGoingToEnd }
            #expect(rows.grid.selectedPosition == 119 && calls == 4)
            rows.window.close()
        }

        @Test(arguments: ["a key", "a click", "scrolling", "a selection"])
        func `on the way to the end, the user's next action is obeyed`(_ action: String) async throws {
            let rows = try RowGrid(rows: 30)
            await rows.window.frames { rows.isComplete }
            let gate = Gate()
            var calls = 0
            grow(rows, to: 600, gate: gate) { calls += 1 }
            let controller = rows.grid.controller
            #expect(controller.press(GridEndTests.end))
            await rows.window.frames { calls == 1 && rows.visibleRows.contains(29) }
            switch action {
            case "a key": #expect(controller.press(UInt32(GDK_KEY_Home)))
            case "a click":
                controller.pressBegins(x: 50, y: gtk_adjustment_get_value(controller.adjustment) + 50)
                rows.scroll(to: 0)
            case "scrolling": rows.scroll(to: 0)
            default: rows.grid.selectedPosition = 0
            }
            #expect(!rows.grid.isGoingToEnd)
            gate.open()
            await rows.window.frames { rows.grid.count == 60 }
            for _ in 0..<4 { await rows.window.nextFrame() }
            #expect(calls == 1 && rows.grid.count == 60)
            #expect(rows.visibleRows.contains(0))
            rows.window.close()
        }

        @Test func `a page that fails ends the way, and the next End tries again`() async throws {
            let rows = try RowGrid(rows: 90)
            await rows.window.frames { rows.isComplete }
            var calls = 0
            rows.grid.onNearEnd = { calls += 1 }
            for expected in 1...2 {
                #expect(rows.grid.controller.press(GridEndTests.end))
                await rows.window.frames { !rows.grid.isGoingToEnd }
                for _ in 0..<4 { await rows.window.nextFrame() }
                #expect(calls == expected)
                #expect(rows.grid.selectedPosition == 89)
            }
            rows.window.close()
        }
    }
#endif
