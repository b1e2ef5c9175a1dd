#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import CalotypeCodecs

/// The space for an image, in cells, and the size of a cell in pixels.
struct TerminalCells: Hashable, Sendable {
    var columns: Int
    var rows: Int
    var cellWidth: Int
    var cellHeight: Int

    /// The values for a terminal that does not report its size.
    static let standard = TerminalCells(columns: 80, rows: 24, cellWidth: 10, cellHeight: 20)

    init(columns: Int, rows: Int, cellWidth: Int = 10, cellHeight: Int = 20) {
        (self.columns, self.rows, self.cellWidth, self.cellHeight) = (columns, rows, cellWidth, cellHeight)
    }

    /// Reads the size of a terminal, without the row of the prompt.
    init(_ stream: Stream, environment: [String: String]) {
        var cells = TerminalCells.standard
        var size = winsize()
        if stream.isTerminal, ioctl(stream.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
            cells.columns = Int(size.ws_col)
            cells.rows = max(Int(size.ws_row) - 1, 1)
            if size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row {
                cells.cellWidth = Int(size.ws_xpixel / size.ws_col)
                cells.cellHeight = Int(size.ws_ypixel / size.ws_row)
            }
        } else if let columns = environment["COLUMNS"].flatMap(Int.init), (1...10_000).contains(columns) {
            cells.columns = columns
        }
        self = cells
    }

    /// Returns the pixels that fit.
    func pixels(_ graphics: GraphicsProtocol) -> PixelSize {
        graphics == .blocks
            ? PixelSize(width: columns, height: 2 * rows)
            : PixelSize(width: columns * cellWidth, height: rows * cellHeight)
    }

    /// Returns the rows that an image takes.
    func rows(of bitmap: Bitmap, _ graphics: GraphicsProtocol) -> Int {
        let height = graphics == .blocks ? 2 : cellHeight
        return (bitmap.height + height - 1) / height
    }
}
