import CalotypeCodecs
import Foundation

enum TerminalImage {
    /// The sequence of kitty's protocol that removes the images at the cursor.
    private static let kittyRemoval = "\u{1B}_Ga=d,d=C,q=2\u{1B}\\"

    /// Returns bytes that draw the image at the cursor, and leave the cursor at the beginning of the row below it. They
    /// reserve the rows first, so that a terminal at its last row scrolls before it draws.
    ///
    /// - Parameter previous: The number of rows of the image that this image replaces; 0 if it replaces no image.
    static func drawing(
        _ bitmap: Bitmap, _ graphics: GraphicsProtocol, _ cells: TerminalCells, fullColor: Bool, over previous: Int = 0
    ) throws(CodecError) -> Data {
        let (columns, rows) = cells.area(of: bitmap.size, graphics)
        let up = previous > 0 ? "\u{1B}[\(previous)A\(graphics == .kitty ? kittyRemoval : "")\u{1B}[J" : ""
        if graphics == .blocks {
            let text = try Chafa.symbols(of: bitmap, columns: columns, rows: rows, fullColor: fullColor)
            return Data(up.utf8) + text + Data("\n".utf8)
        }
        let room = up + String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7"
        let pixels = try graphics == .kitty ? Chafa.kitty(bitmap) : Chafa.sixels(of: bitmap)
        return Data(room.utf8) + pixels + Data("\u{1B}8\u{1B}[\(rows)B".utf8)
    }
}
