import CalotypeCodecs
import Foundation

/// A reader of block characters, as a terminal shows them.
enum BlockReader {
    /// Returns the colors that each cell shows: none for a blank, one for a space or a full block, two for all others.
    static func cells(in output: Data) -> [[Set<String>]] {
        // A terminal ends each line with CR and LF.
        let lines = String(decoding: output, as: UTF8.self).replacing("\r\n", with: "\n").split(separator: "\n")
        return lines.map { cells(in: $0) }
    }

    private static func cells(in line: Substring) -> [Set<String>] {
        var (front, back, isReversed) = (String?.none, String?.none, false)
        var cells: [Set<String>] = []
        var rest = line
        while let character = rest.popFirst() {
            guard character == "\u{1B}" else {
                let (ink, paper) = isReversed ? (back, front) : (front, back)
                let colors = character == " " ? [paper] : character == "█" ? [ink] : [ink, paper]
                cells.append(Set(colors.compactMap(\.self)))
                continue
            }
            var codes = rest.dropFirst().prefix { $0 != "m" }.split(separator: ";")[...]
            rest = rest.drop { $0 != "m" }.dropFirst()
            while let code = codes.popFirst() {
                switch code {
                case "0": (front, back, isReversed) = (nil, nil, false)
                case "7": isReversed = true
                default:
                    let color = codes.prefix(codes.first == "2" ? 4 : 2)
                    codes = codes.dropFirst(color.count)
                    if code == "38" {
                        front = color.joined(separator: ";")
                    } else {
                        back = color.joined(separator: ";")
                    }
                }
            }
        }
        return cells
    }
}

/// A reader of kitty's graphics protocol.
enum KittyReader {
    static func image(in output: Data) throws -> Bitmap {
        let (size, data) = try pixels(in: output)
        return try Bitmap(width: size.width, height: size.height, hasAlpha: false) { bytes, _ in
            for index in 0..<size.width * size.height {
                for channel in 0..<3 { bytes[4 * index + channel] = data[3 * index + 2 - channel] }
                bytes[4 * index + 3] = 255
            }
        }
    }

    /// Returns the size, and for each pixel red, green and blue.
    static func pixels(in output: Data) throws -> (size: PixelSize, data: Data) {
        let pieces = String(decoding: output, as: UTF8.self).components(separatedBy: "\u{1B}_G").dropFirst().map {
            $0.components(separatedBy: "\u{1B}\\")[0].split(separator: ";", maxSplits: 1).map(String.init)
        }
        guard let head = pieces.first?.first?.wholeMatch(of: /a=T,q=2,C=1,f=24,s=(\d+),v=(\d+),m=1/),
            let width = Int(head.1), let height = Int(head.2), pieces.last == ["m=0"],
            case let data = pieces.dropFirst().dropLast().compactMap({ Data(base64Encoded: $0[1]) }).reduce(Data(), +),
            data.count == 3 * width * height
        else { throw SixelReader.NoImage() }
        return (PixelSize(width, height), data)
    }
}

/// A reader of sixel graphics.
enum SixelReader {
    struct NoImage: Error {}

    static func image(in text: String) throws -> Bitmap {
        let pixels = try pixels(in: text)
        return try Bitmap(width: pixels.width, height: pixels.height, hasAlpha: false) { bytes, _ in
            for (index, pixel) in pixels.pixels.enumerated() {
                let color = pixel ?? [0, 0, 0]
                for channel in 0..<3 { bytes[4 * index + channel] = color[2 - channel] }
                bytes[4 * index + 3] = 255
            }
        }
    }

    static func alpha(in text: String) throws -> [UInt8] { try pixels(in: text).pixels.map { $0 == nil ? 0 : 255 } }

    /// Returns the pixels from the top; `nil` for one that stays unpainted.
    static func pixels(in text: String) throws -> (width: Int, height: Int, pixels: [[UInt8]?]) {
        guard let start = text.range(of: "\u{1B}P0;1;0q\"1;1;"),
            let end = text.range(of: "\u{1B}\\", range: start.upperBound..<text.endIndex)
        else { throw NoImage() }
        var rest = Array(text[start.upperBound..<end.lowerBound].utf8)[...]
        func number() -> Int {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            return Int(String(decoding: digits, as: UTF8.self)) ?? 0
        }
        func take(_ letter: Character) -> Bool {
            guard rest.first == letter.asciiValue else { return false }
            rest = rest.dropFirst()
            return true
        }
        let width = number()
        guard take(";") else { throw NoImage() }
        let height = number()
        var pixels = [[UInt8]?](repeating: nil, count: width * height)
        var colors: [Int: [UInt8]] = [:]
        var (x, top, color) = (0, 0, 0)
        while !rest.isEmpty {
            if take("#") {
                color = number()
                if take(";") {
                    _ = number()
                    colors[color] = try (0..<3).map { _ in
                        guard take(";") else { throw NoImage() }
                        return UInt8(number() * 255 / 100)
                    }
                }
            } else if take("$") {
                x = 0
            } else if take("-") {
                (x, top) = (0, top + 6)
            } else {
                let count = take("!") ? number() : 1
                let bits = rest.removeFirst() - 0x3F
                for _ in 0..<count {
                    for row in 0..<6 where bits >> UInt8(row) & 1 == 1 {
                        guard x < width, top + row < height else { throw NoImage() }
                        pixels[(top + row) * width + x] = colors[color]
                    }
                    x += 1
                }
            }
        }
        return (width, height, pixels)
    }
}
