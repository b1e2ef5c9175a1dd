import CalotypeCodecs
import Foundation

/// The bytes that draw an image.
enum TerminalImage {
    /// Returns bytes that draw at the cursor, and leave it at the beginning of the row below.
    ///
    /// They reserve the rows first, so that a terminal at its last row scrolls before it draws, not while it does.
    ///
    /// - Parameter previous: the rows of the image just drawn that this one replaces; 0 without such an image.
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

/// The colors that a terminal's text supports.
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
    /// Returns red, green, blue and alpha of a pixel, not premultiplied.
    func color(x: Int, y: Int, _ bytes: UnsafeRawBufferPointer) -> (red: Int, green: Int, blue: Int, alpha: Int) {
        let place = y * stride + 4 * x
        let alpha = Int(bytes[place + 3])
        guard alpha > 0 else { return (0, 0, 0, 0) }
        let straight = { (channel: Int) in min((Int(bytes[place + channel]) * 255 + alpha / 2) / alpha, 255) }
        return (straight(2), straight(1), straight(0), alpha)
    }
}
