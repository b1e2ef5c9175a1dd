import CResample

/// The meaning of the four channels of a pixel, for filters.
enum PixelChannels {
    /// Blue, green and red. The fourth channel of a result is 255.
    case opaque
    /// Premultiplied blue, green and red, and alpha, which none of them exceeds.
    case premultiplied
    /// Four colors, such as inks.
    case fourColors

    init(hasAlpha: Bool) { self = hasAlpha ? .premultiplied : .opaque }

    /// The number of channels to filter.
    var count: Int { calotype_channels(kind) }

    /// The number for the filter's loops.
    var kind: Int32 {
        switch self {
        case .opaque: Int32(calotype_opaque)
        case .premultiplied: Int32(calotype_with_alpha)
        case .fourColors: Int32(calotype_four_colors)
        }
    }
}
