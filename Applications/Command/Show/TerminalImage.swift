import CalotypeCodecs
import Foundation

/// The drawing of images on a terminal's screen.
struct TerminalImage: Sendable {
    /// The sequence of kitty's protocol that removes the images at the cursor.
    private static let kittyRemoval = "\u{1B}_Ga=d,d=C,q=2\u{1B}\\"

    let graphics: GraphicsProtocol
    let cells: TerminalCells
    /// Whether block characters have 24-bit color.
    let fullColor: Bool
    /// The color behind translucent pixels.
    var background = ImageColor.black

    /// Returns bytes that draw the image at the cursor, and leave the cursor at the beginning of the row below it. They
    /// reserve the rows first, so that a terminal at its last row scrolls before it draws.
    ///
    /// - Parameter previous: The number of rows of the image that this image replaces; 0 if it replaces no image.
    func drawing(_ bitmap: Bitmap, over previous: Int = 0) throws(CodecError) -> Data {
        let (columns, rows) = cells.area(of: bitmap.size, graphics)
        let up = previous > 0 ? "\u{1B}[\(previous)A\(graphics == .kitty ? Self.kittyRemoval : "")\u{1B}[J" : ""
        if graphics == .blocks {
            let text = try Chafa.symbols(
                of: bitmap, columns: columns, rows: rows, fullColor: fullColor, over: background)
            return Data(up.utf8) + text + Data("\n".utf8)
        }
        let room = up + String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7"
        let pixels =
            try graphics == .kitty
            ? KittyImage.drawing(bitmap, over: background) : Chafa.sixels(of: bitmap, over: background)
        return Data(room.utf8) + pixels + Data("\u{1B}8\u{1B}[\(rows)B".utf8)
    }
}
