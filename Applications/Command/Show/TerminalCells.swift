import CalotypeCodecs
import Foundation

/// The space for an image, in cells of the terminal, and the size of a cell, in pixels.
struct TerminalCells: Hashable, Sendable {
    // The defaults are for a terminal that does not report its size.
    var columns = 80
    var rows = 24
    var cellWidth = 10
    var cellHeight = 20

    var pixels: PixelSize { PixelSize(width: columns * cellWidth, height: rows * cellHeight) }

    /// Returns the cells that an image occupies. A block character shows at most one column and two rows of pixels.
    func area(of size: PixelSize, _ graphics: GraphicsProtocol) -> (columns: Int, rows: Int) {
        guard graphics == .blocks else {
            return ((size.width + cellWidth - 1) / cellWidth, (size.height + cellHeight - 1) / cellHeight)
        }
        let (width, height) = (Double(size.width), Double(size.height))
        let scale = min(1, Double(columns) / width, Double(2 * rows) / height)
        let lines = Int((height * scale).rounded())
        return (max(Int((width * scale).rounded()), 1), max((lines + 1) / 2, 1))
    }
}

extension TerminalCells {
    /// Creates the space of a terminal, which leaves one row for the prompt.
    init(of stream: Stream, environment: [String: String]) {
        if let size = stream.size, size.rows > 0 {
            columns = size.columns
            rows = max(size.rows - 1, 1)
            if size.width >= size.columns, size.height >= size.rows {
                cellWidth = size.width / size.columns
                cellHeight = size.height / size.rows
            }
        } else if let width = environment["COLUMNS"].flatMap(Int.init), (1...10_000).contains(width) {
            columns = width
        }
    }
}
