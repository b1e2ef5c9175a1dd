/// Changes the colors of an image, each pixel by itself: brightness, contrast, saturation, or shades of one color.
///
/// ```swift
/// let image = try bitmap.applying([.brightness(1.2), .saturation(0.5)])
/// ```
///
/// Factors below 0 count as 0, those above 100 as 100, and what is not a number as 1.
public struct ColorAdjustment: ImageStep, Hashable, Codable {
    fileprivate enum Change: Hashable, Codable {
        case brightness(factor: Double)
        case contrast(factor: Double)
        case saturation(factor: Double)
        case grayscale
        case tint(color: ImageColor, amount: Double)
    }

    private let change: Change

    fileprivate init(_ change: Change) {
        self.change =
            switch change {
            case .brightness(let factor): .brightness(factor: Self.clamped(factor, to: 100))
            case .contrast(let factor): .contrast(factor: Self.clamped(factor, to: 100))
            case .saturation(let factor): .saturation(factor: Self.clamped(factor, to: 100))
            case .grayscale: .grayscale
            case .tint(let color, let amount): .tint(color: color, amount: Self.clamped(amount, to: 1))
            }
    }

    private static func clamped(_ number: Double, to limit: Double) -> Double {
        number.isNaN ? 1 : min(max(number, 0), limit)
    }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws { self.init(try Change(from: decoder)) }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws { try change.encode(to: encoder) }

    public var key: String {
        switch change {
        case .brightness(let factor): "brightness(\(factor))"
        case .contrast(let factor): "contrast(\(factor))"
        case .saturation(let factor): "saturation(\(factor))"
        case .grayscale: "grayscale"
        case .tint(let color, let amount): "tint(\(color),\(amount))"
        }
    }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        try matrix?.apply(to: bitmap) ?? bitmap
    }

    /// The change of a pixel; `nil` if there is none.
    private var matrix: ColorMatrix? {
        switch change {
        case .brightness(1), .contrast(1), .saturation(1), .tint(_, 0): nil
        case .brightness(let factor): ColorMatrix(factor: factor)
        case .contrast(let factor): ColorMatrix(factor: factor, offset: 0.5 - factor / 2)
        case .saturation(let factor): ColorMatrix(saturation: factor)
        case .grayscale: ColorMatrix(saturation: 0)
        case .tint(let color, let amount): ColorMatrix(tint: color, amount: amount)
        }
    }
}

extension ImageStep where Self == ColorAdjustment {
    /// Makes the image brighter or darker: every channel is multiplied. 1 changes nothing, 0 is black.
    public static func brightness(_ factor: Double) -> ColorAdjustment { ColorAdjustment(.brightness(factor: factor)) }

    /// Moves every channel away from middle gray, or towards it. 1 changes nothing, 0 is gray.
    public static func contrast(_ factor: Double) -> ColorAdjustment { ColorAdjustment(.contrast(factor: factor)) }

    /// Makes colors stronger or weaker, by the formula of CSS. 1 changes nothing, 0 is gray by luminance.
    public static func saturation(_ factor: Double) -> ColorAdjustment { ColorAdjustment(.saturation(factor: factor)) }

    /// Gray by luminance.
    public static var grayscale: ColorAdjustment { ColorAdjustment(.grayscale) }

    /// Colors the image in shades of one color: its luminance times the color. Black stays black, white becomes the color.
    ///
    /// - Parameters:
    ///   - color: Its alpha does not count.
    ///   - amount: 0 (nothing changes) to 1.
    public static func tint(_ color: ImageColor, amount: Double = 1) -> ColorAdjustment {
        ColorAdjustment(.tint(color: color, amount: amount))
    }
}
