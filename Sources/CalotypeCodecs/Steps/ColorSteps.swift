/// Makes the image brighter or darker: every channel is multiplied.
public struct Brightness: ImageStep, Hashable, Codable {
    /// 1 changes nothing, 0 is black. At most 100.
    public let factor: Double

    /// Creates a step with this factor.
    ///
    /// - Parameter factor: below 0 counts as 0; what is not a number as 1.
    public init(_ factor: Double) {
        self.factor = ColorFactor.clamped(factor)
    }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws { self.init(try ColorFactor.read(decoder)) }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws { try ColorFactor.write(factor, encoder) }

    public var key: String { "brightness(\(factor))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        factor == 1 ? bitmap : try ColorMatrix(factor: factor).apply(to: bitmap)
    }
}

/// Moves every channel away from middle gray, or towards it.
public struct Contrast: ImageStep, Hashable, Codable {
    /// 1 changes nothing, 0 is gray. At most 100.
    public let factor: Double

    /// Creates a step with this factor.
    ///
    /// - Parameter factor: below 0 counts as 0; what is not a number as 1.
    public init(_ factor: Double) {
        self.factor = ColorFactor.clamped(factor)
    }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws { self.init(try ColorFactor.read(decoder)) }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws { try ColorFactor.write(factor, encoder) }

    public var key: String { "contrast(\(factor))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        factor == 1 ? bitmap : try ColorMatrix(factor: factor, offset: 0.5 - factor / 2).apply(to: bitmap)
    }
}

/// Makes colors stronger or weaker, by the formula of CSS.
public struct Saturation: ImageStep, Hashable, Codable {
    /// 1 changes nothing, 0 is gray by luminance. At most 100.
    public let factor: Double

    /// Creates a step with this factor.
    ///
    /// - Parameter factor: below 0 counts as 0; what is not a number as 1.
    public init(_ factor: Double) {
        self.factor = ColorFactor.clamped(factor)
    }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws { self.init(try ColorFactor.read(decoder)) }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws { try ColorFactor.write(factor, encoder) }

    public var key: String { "saturation(\(factor))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        factor == 1 ? bitmap : try ColorMatrix(saturation: factor).apply(to: bitmap)
    }
}

/// Gray by luminance.
public struct Grayscale: ImageStep, Hashable, Codable {
    /// Creates a step that removes colors.
    public init() {}

    public var key: String { "grayscale" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        try ColorMatrix(saturation: 0).apply(to: bitmap)
    }
}

private enum ColorFactor {
    static func clamped(_ factor: Double) -> Double { factor.isNaN ? 1 : min(max(factor, 0), 100) }

    static func read(_ decoder: any Decoder) throws -> Double { try decoder.singleValueContainer().decode(Double.self) }

    static func write(_ factor: Double, _ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(factor)
    }
}
