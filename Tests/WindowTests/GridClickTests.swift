#if GTK
    import CGTK4
    import Testing

    @testable import CalotypeGTK

    /// Presses and releases on a grid with tiles of 100 × 100 points.
    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct GridClickTests {
        /// Returns the items that a series of presses, moves and releases opens.
        private func opened(by act: (RowGrid, GridController<Row>) async -> Void) async throws -> [Int] {
            let rows = try RowGrid(rows: 30)
            var opened: [Int] = []
            rows.grid.onActivate = { opened.append($0.id) }
            await rows.window.frames { rows.isComplete }
            await act(rows, rows.grid.controller)
            rows.window.close()
            return opened
        }

        @Test func `a click opens its item, though the hand shakes a little`() async throws {
            let opened = try await opened { _, grid in
                grid.pressBegins(x: 50, y: 150)
                grid.pressMoves(x: 52, y: 151)
                grid.pressEnds(x: 51, y: 149)
            }
            #expect(opened == [3])
        }

        @Test(arguments: [(150.0, 50.0), (50, 150), (99, 50), (50, 99), (-20, 50), (50, 2000)])
        func `a press on one item that ends far away opens nothing`(_ x: Double, _ y: Double) async throws {
            let opened = try await opened { _, grid in
                grid.pressBegins(x: 50, y: 50)
                grid.pressEnds(x: x, y: y)
            }
            #expect(opened == [])
        }

        @Test func `a press near an edge that ends on the neighbour opens neither`() async throws {
            let opened = try await opened { _, grid in
                grid.pressBegins(x: 98, y: 50)
                grid.pressEnds(x: 102, y: 50)
            }
            #expect(opened == [])
        }

        @Test func `a drag that comes back to its item opens nothing, and the next click opens it`() async throws {
            let opened = try await opened { _, grid in
                grid.pressBegins(x: 50, y: 50)
                grid.pressMoves(x: 150, y: 50)
                grid.pressEnds(x: 50, y: 50)
                grid.pressEnds(x: 50, y: 50)
                grid.pressBegins(x: 50, y: 50)
                grid.pressEnds(x: 50, y: 50)
            }
            #expect(opened == [0])
        }

        @Test func `when the list scrolls or changes under the pressed pointer, no other item opens`() async throws {
            let opened = try await opened { rows, grid in
                grid.pressBegins(x: 50, y: 50)
                rows.scroll(to: 100)
                grid.pressEnds(x: 50, y: 150)
                grid.pressBegins(x: 50, y: 150)
                rows.grid.remove(3..<4)
                await rows.window.nextFrame()
                grid.pressEnds(x: 50, y: 150)
            }
            #expect(opened == [])
        }

        @Test func `a list that scrolls under a resting pointer, but not away from its item, opens that`() async throws
        {
            let opened = try await opened { rows, grid in
                grid.pressBegins(x: 50, y: 150)
                rows.scroll(to: 30)
                grid.pressEnds(x: 50, y: 180)
            }
            #expect(opened == [3])
        }
    }
#endif
