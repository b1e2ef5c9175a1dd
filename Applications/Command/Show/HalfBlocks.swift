import CalotypeCodecs

/// Two pixels per character: the upper half block in the color of the upper one, on the color of the lower one.
enum HalfBlocks {
    static func text(of bitmap: Bitmap, _ colors: ColorDepth) -> String {
        var text = ""
        bitmap.withUnsafeBytes { bytes in
            for top in stride(from: 0, to: bitmap.height, by: 2) {
                var last = ""
                for x in 0..<bitmap.width {
                    let upper = code(bitmap.color(x: x, y: top, bytes), colors)
                    let lower = top + 1 < bitmap.height ? code(bitmap.color(x: x, y: top + 1, bytes), colors) : nil
                    let (style, block) = cell(upper, lower)
                    if style != last { text += "\u{1B}[0\(style)m" }
                    text += block
                    last = style
                }
                text += "\u{1B}[0m\n"
            }
        }
        return text
    }

    /// Returns a cell. The terminal's background shows through transparent pixels.
    private static func cell(_ upper: String?, _ lower: String?) -> (style: String, block: String) {
        switch (upper, lower) {
        case (nil, nil): ("", " ")
        case (let upper?, nil): (";38;\(upper)", "▀")
        case (nil, let lower?): (";38;\(lower)", "▄")
        case (let upper?, let lower?): (";38;\(upper);48;\(lower)", "▀")
        }
    }

    /// Returns the parameters of a color; `nil` for one that is mostly transparent.
    private static func code(
        _ color: (red: Int, green: Int, blue: Int, alpha: Int), _ colors: ColorDepth
    ) -> String? {
        guard color.alpha >= 128 else { return nil }
        switch colors {
        case .full: return "2;\(color.red);\(color.green);\(color.blue)"
        case .palette: return "5;\(palette(color.red, color.green, color.blue))"
        }
    }

    /// Returns the nearest of a terminal's 6 × 6 × 6 colors and 24 grays.
    static func palette(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        let levels = [0, 95, 135, 175, 215, 255]
        let nearest = { (value: Int) in levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0 }
        let (r, g, b) = (nearest(red), nearest(green), nearest(blue))
        let gray = min(max(((red + green + blue) / 3 - 3) / 10, 0), 23)
        let distance = { (r: Int, g: Int, b: Int) in
            (r - red) * (r - red) + (g - green) * (g - green) + (b - blue) * (b - blue)
        }
        let value = 8 + 10 * gray
        let isGray = distance(value, value, value) < distance(levels[r], levels[g], levels[b])
        return isGray ? 232 + gray : 16 + 36 * r + 6 * g + b
    }
}
