extension ImageSteps {
    /// A step that changes the brightness, contrast or saturation of an image, or converts it to grayscale or tints it.
    ///
    /// ```swift
    /// let image = try bitmap.applying([.brightness(1.2), .saturation(0.5)])
    /// ```
    ///
    /// Factors are clamped to 0…100, and the amount of a tint to 0…1; NaN counts as 1.
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

        /// Decodes a step, and clamps its factor or amount.
        public init(from decoder: any Decoder) throws { self.init(try Change(from: decoder)) }

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
            guard let changed = try matrix(in: bitmap.gamut)?.apply(to: bitmap) else { return bitmap }
            let keepsMap = !removesColors || bitmap.gainMap?.isGray == true
            return changed.declaring(gainMap: keepsMap ? bitmap.gainMap : nil)
        }

        /// Whether the result is in shades of one color, to which a gain map of several would add others.
        private var removesColors: Bool {
            switch change {
            case .saturation(0), .grayscale, .tint: true
            case .brightness, .contrast, .saturation: false
            }
        }

        /// Returns the matrix that changes each pixel, or `nil` if the step changes nothing.
        private func matrix(in gamut: ColorGamut) -> ColorMatrix? {
            switch change {
            case .brightness(1), .contrast(1), .saturation(1), .tint(_, 0): nil
            case .brightness(let factor): ColorMatrix(factor: factor)
            case .contrast(let factor): ColorMatrix(factor: factor, offset: 0.5 - factor / 2)
            case .saturation(let factor): ColorMatrix(saturation: factor)
            case .grayscale: ColorMatrix(saturation: 0)
            case .tint(let color, let amount): ColorMatrix(tint: color.converted(to: gamut), amount: amount)
            }
        }
    }
}

extension ImageStep where Self == ImageSteps.ColorAdjustment {
    /// Multiplies every channel by a factor. 1 changes nothing, 0 is black.
    public static func brightness(_ factor: Double) -> Self { Self(.brightness(factor: factor)) }

    /// Scales the distance of every channel from middle gray. 1 changes nothing, 0 is gray.
    public static func contrast(_ factor: Double) -> Self { Self(.contrast(factor: factor)) }

    /// Changes the saturation by CSS's formula. 1 changes nothing, 0 is grayscale by luminance.
    public static func saturation(_ factor: Double) -> Self { Self(.saturation(factor: factor)) }

    /// Converts to grayscale by luminance.
    public static var grayscale: Self { Self(.grayscale) }

    /// Colors the image in shades of one color: luminance times the color. Black stays black, white becomes the color.
    ///
    /// - Parameter amount: The strength, from 0 (no change) to 1, which is the default. The color's alpha is ignored.
    public static func tint(_ color: ImageColor, amount: Double = 1) -> Self {
        Self(.tint(color: color, amount: amount))
    }
}
