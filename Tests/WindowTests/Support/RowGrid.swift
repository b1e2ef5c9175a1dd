#if GTK
    import CGTK4
    import Calotype
    import CalotypeBase
    import CalotypeTesting
    import CalotypeUI
    import Foundation

    @testable import CalotypeGTK

    struct Row: Identifiable, Sendable {
        let id: Int
    }

    /// A grid in a window, in which each row has a photo in its own color. The origin answers when the test allows it.
    @MainActor
    struct RowGrid {
        let studio: Studio
        let clock = ManualClock()
        let queue: IdleQueue
        let gates = Gates()
        let grid: RemoteImageGrid<Row>
        let window: TestWindow

        /// Creates a grid of 300 × 300 points, which shows about nine cells of 100 × 100.
        init(
            rows: Int, isOpen: Bool = true, policy: CachePolicy = .useProtocol,
            edit: (inout RemoteImageOptions) -> Void = { _ in }
        ) throws {
            var studio = try Studio()
            queue = IdleQueue(clock: clock)
            studio.options.idleQueue = queue
            edit(&studio.options)
            let gates = gates
            if isOpen { gates.openAll() }
            studio.origin.onAny { request in
                guard let row = Int(request.path.dropFirst()), let png = try? Palette.png(Palette.color(row)) else {
                    return .status(404)
                }
                return OriginReply.ok(png, type: "image/png").held(by: gates[row])
            }
            let origin = studio.origin
            grid = RemoteImageGrid(options: studio.options) {
                ImageRequest(source: .url(origin.url("/\($0.id)")), policy: policy)
            }
            grid.append((0..<rows).map { Row(id: $0) })
            window = TestWindow(width: 300, height: 300, grid.widget)
            self.studio = studio
        }

        /// The rows whose photos were requested from the origin.
        var asked: Set<Int> { Set(studio.origin.requests.compactMap { Int($0.path.dropFirst()) }) }

        var visible: [GridCell<Int>] { grid.controller.visibleCells }
        var visibleRows: Set<Int> { Set(visible.compactMap(\.id)) }
        var isComplete: Bool { !visible.isEmpty && visible.allSatisfy { $0.view.binder?.state.image != nil } }

        func scroll(to value: Double) { gtk_adjustment_set_value(grid.controller.adjustment, value) }

        var scrollLimit: Double {
            let adjustment = grid.controller.adjustment
            return gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        }

        /// Advances the clock until the list counts as idle.
        func rest() { clock.advance(by: .milliseconds(80)) }

        /// Returns a description of each visible cell that does not have its row's color on the screen.
        func wrongCells(_ shot: Screenshot) -> [String] {
            visible.compactMap { cell in
                guard let row = cell.id, let position = cell.position,
                    let extent = grid.controller.extent(of: position)
                else { return "a cell without a row" }
                let y = Int((max(extent.lowerBound, 0) + min(extent.upperBound, Double(shot.height))) / 2)
                let seen = shot.color(position % 3 * 100 + 50, min(y, shot.height - 1))
                return seen == Palette.color(row) ? nil : "row \(row) is \(String(seen, radix: 16))"
            }
        }
    }

    /// A gate for each row.
    final class Gates: Sendable {
        private let gates = Locked((isOpen: false, gates: [Int: Gate]()))

        subscript(row: Int) -> Gate {
            gates.withLock { state in
                if let gate = state.gates[row] { return gate }
                let gate = Gate(isOpen: state.isOpen)
                state.gates[row] = gate
                return gate
            }
        }

        /// The rows whose answers wait.
        var waiting: [Int] { gates.withLock { $0.gates.filter { $0.value.waiting > 0 }.keys.sorted() } }

        func openAll() {
            let all = gates.withLock { state in
                state.isOpen = true
                return Array(state.gates.values)
            }
            for gate in all { gate.open() }
        }
    }
#endif
