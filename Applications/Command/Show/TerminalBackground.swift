import CalotypeCodecs
import Foundation

/// The color behind the translucent pixels of images: the user's choice, or else the terminal's answer, or else black.
struct TerminalBackground {
    private var known: ImageColor?
    private let ask: () -> String?

    /// - Parameters:
    ///   - chosen: The user's choice, if there is one.
    ///   - ask: Returns the terminal's answer to ``TerminalQuery/background``; `nil` if it has not answered.
    init(_ chosen: ImageColor?, ask: @escaping () -> String?) {
        known = chosen
        self.ask = ask
    }

    /// Returns the color behind an image. Only the first image with transparency asks the terminal.
    mutating func color(behind bitmap: Bitmap) -> ImageColor {
        if let known { return known }
        guard bitmap.hasAlpha else { return .black }
        let color = ask().flatMap { ImageColor(answer: $0) } ?? .black
        known = color
        return color
    }
}

extension ImageColor {
    /// Creates the color in a terminal's answer to OSC 11: `rgb:` or `rgba:` and channels of one to four hexadecimal
    /// digits. An alpha is ignored: it belongs to the window. Returns `nil` for another answer.
    init?(answer: String) {
        guard let start = answer.range(of: "\u{1B}]11;"),
            let colon = answer[start.upperBound...].firstIndex(of: ":"),
            ["rgb", "rgba"].contains(answer[start.upperBound..<colon])
        else { return nil }
        let text = answer[answer.index(after: colon)...].prefix { $0.isHexDigit || $0 == "/" }
        let channels = text.split(separator: "/", omittingEmptySubsequences: false).prefix(3).compactMap(Self.channel)
        guard channels.count == 3 else { return nil }
        self.init(red: channels[0], green: channels[1], blue: channels[2])
    }

    /// Returns a channel of one to four digits, of which "f" and "ffff" are both full.
    private static func channel(_ digits: Substring) -> UInt8? {
        guard (1...4).contains(digits.count), let value = Int(digits, radix: 16) else { return nil }
        let most = (1 << (4 * digits.count)) - 1
        return UInt8((value * 255 + most / 2) / most)
    }
}
