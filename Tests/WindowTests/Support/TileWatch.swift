#if GTK
    import CGTK4
    import CalotypeGTK
    import CalotypeTesting
    import Foundation

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    /// A check of the middle of every tile of a gallery's grid, in each frame.
    ///
    /// The images have colors of `Palette.vivid`, by the number in their names.
    @MainActor
    final class TileWatch {
        /// A tile as painted.
        struct Tile {
            let row: Int
            let seen: UInt32

            var isComplete: Bool { seen == Palette.vivid(row) }
            var text: String {
                "photo \(row) is \(String(seen, radix: 16)), not \(String(Palette.vivid(row), radix: 16))"
            }

            /// Whether the color is a mix of the image's own color and black, the background without a window: the
            /// image fades in, or has not arrived.
            var isOwn: Bool {
                let (seen, own) = (Tile.vector(seen), Tile.vector(Palette.vivid(row)))
                let share = (seen * own).sum() / (own * own).sum()
                let rest = seen - own * max(share, 0)
                return (rest * rest).sum().squareRoot() < 36
            }

            private static func vector(_ color: UInt32) -> SIMD3<Double> {
                SIMD3(Double(color >> 16 & 255), Double(color >> 8 & 255), Double(color & 255))
            }
        }

        private let stage: GalleryStage
        private var signal: Signal?
        /// The tiles of the latest frame.
        private(set) var tiles: [Tile] = []
        /// The tiles that had the color of another image, frame by frame.
        private(set) var wrong: [String] = []
        /// The tiles that were not complete.
        private(set) var incomplete: [String] = []
        private(set) var frames = 0

        init(_ stage: GalleryStage) {
            self.stage = stage
            let clock = gtk_widget_get_frame_clock(stage.window.widget)
            signal = clock.map { Signal.connect($0.raw, "after-paint") { [weak self] in self?.look() } }
        }

        func stop() {
            signal?.disconnect()
            signal = nil
        }

        func forget() { (wrong, incomplete, frames) = ([], [], 0) }

        /// Whether the latest frame had tiles, each with its own image.
        var isComplete: Bool { !tiles.isEmpty && tiles.allSatisfy(\.isComplete) }

        private func look() {
            tiles = []
            guard let controller = stage.grid?.controller, gtk_widget_get_mapped(controller.widget) != 0 else { return }
            frames += 1
            let shot = Screenshot(of: controller.widget)
            for position in controller.seenPositions {
                let frame = controller.geometry.frame(at: position)
                let (x, y) = (frame.x + frame.width / 2, Int(controller.y(of: position, part: 0.5)))
                guard (0..<shot.height).contains(y), (0..<shot.width).contains(x) else { continue }
                guard let row = TileWatch.row(controller.items[position].name) else { continue }
                tiles.append(Tile(row: row, seen: shot.color(x, y)))
            }
            wrong += tiles.filter { !$0.isOwn }.map { "frame \(frames): \($0.text)" }
            incomplete += tiles.filter { !$0.isComplete }.map { "frame \(frames): \($0.text)" }
        }

        nonisolated static func name(_ row: Int) -> String { "photo \(1000 + row) \(Palette.name(row))" }

        static func row(_ name: String) -> Int? {
            name.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 - 1000 }
        }
    }
#endif
