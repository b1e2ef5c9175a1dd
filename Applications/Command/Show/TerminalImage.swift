import CalotypeCodecs
import Foundation

/// An image as the bytes that draw it.
enum TerminalImage {
    /// Draws at the cursor, and leaves it at the beginning of the row below.
    ///
    /// The rows are made first, so that a terminal at its last row scrolls before it draws and not while it does.
    ///
    /// - Parameter previous: The rows of the image that this one replaces, which has been drawn directly before. 0 for none.
    static func drawing(
        _ bitmap: Bitmap, _ graphics: GraphicsProtocol, _ cells: TerminalCells, colors: ColorDepth,
        over previous: Int = 0
    ) throws(CodecError) -> Data {
        let rows = cells.rows(of: bitmap, graphics)
        let up = previous > 0 ? "\u{1B}[\(previous)A\(graphics == .kitty ? KittyImage.removal : "")\u{1B}[J" : ""
        switch graphics {
        case .blocks: return Data((up + HalfBlocks.text(of: bitmap, colors)).utf8)
        case .kitty, .sixel:
            let room = up + String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7"
            let end = "\u{1B}8\u{1B}[\(rows)B"
            let image = graphics == .kitty ? try KittyImage.bytes(of: bitmap) : SixelImage.bytes(of: bitmap)
            return Data(room.utf8) + image + Data(end.utf8)
        }
    }
}

/// The colors of a terminal's text.
enum ColorDepth: Hashable, Sendable {
    /// 24 bits.
    case full
    /// The palette of 256 colors.
    case palette

    init(environment: [String: String]) {
        let name = environment["COLORTERM"] ?? ""
        let term = environment["TERM"] ?? ""
        self =
            name == "truecolor" || name == "24bit" || term.contains("direct") || term.contains("kitty")
            ? .full : .palette
    }
}

extension Bitmap {
    /// Red, green, blue and alpha of a pixel, not premultiplied.
    func color(x: Int, y: Int, _ bytes: UnsafeRawBufferPointer) -> (red: Int, green: Int, blue: Int, alpha: Int) {
        let place = y * stride + 4 * x
        let alpha = Int(bytes[place + 3])
        guard alpha > 0 else { return (0, 0, 0, 0) }
        let straight = { (channel: Int) in min((Int(bytes[place + channel]) * 255 + alpha / 2) / alpha, 255) }
        return (straight(2), straight(1), straight(0), alpha)
    }
}
