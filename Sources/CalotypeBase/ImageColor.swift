/// An sRGB color with 8 bits per channel and straight alpha.
public struct ImageColor: Hashable, Sendable, Codable, LosslessStringConvertible {
    /// The red channel.
    public var red: UInt8
    /// The green channel.
    public var green: UInt8
    /// The blue channel.
    public var blue: UInt8
    /// The alpha channel; 255 is opaque.
    public var alpha: UInt8

    /// Creates a color from its channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Opaque black.
    public static let black = ImageColor(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = ImageColor(red: 255, green: 255, blue: 255)
    /// Fully transparent.
    public static let clear = ImageColor(red: 0, green: 0, blue: 0, alpha: 0)

    /// The color as text: "#ff8000", or "#ff800080" with an alpha of 128.
    public var description: String {
        let channels = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        return "#" + channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Parses "#rgb", "#rrggbb", "#rrggbbaa", "black", "white" or "clear", in any case. Otherwise returns `nil`.
    public init?(_ text: String) {
        let text = ByteString(text).lowercasedASCII
        switch text {
        case "black": self = .black
        case "white": self = .white
        case "clear": self = .clear
        default: self.init(hexadecimal: text)
        }
    }

    private init?(hexadecimal text: ByteString) {
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst().bytes.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == text.count - 1 else { return nil }
        let pairs = digits.count == 3 ? digits.flatMap { [$0, $0] } : digits
        guard pairs.count == 6 || pairs.count == 8 else { return nil }
        let channels: [UInt8] = stride(from: 0, to: pairs.count, by: 2).map { 16 * pairs[$0] + pairs[$0 + 1] }
        self.init(
            red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count > 3 ? channels[3] : 255)
    }
}
