import CalotypeBase

/// Six named colors of an image, as Android's Palette and the libraries after it choose them: vivid and muted, each in three
/// degrees of lightness.
package struct DominantColors: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case darkMuted = "dark_muted"
        case darkVibrant = "dark_vibrant"
        case lightMuted = "light_muted"
        case lightVibrant = "light_vibrant"
        case muted, vibrant
    }

    /// The colors that the image has.
    package private(set) var colors: [Kind: ImageColor] = [:]

    /// The number of colors among which the six are found.
    private static let candidates = 64

    /// - Parameters:
    ///   - bitmap: A small copy of the image.
    ///   - buildsMissing: Whether colors that the image lacks are derived from those that it has. The default is `false`.
    package init(_ bitmap: Bitmap, buildsMissing: Bool = false) {
        var swatches = ColorPalette(bitmap, limit: Self.candidates).swatches.map(Candidate.init)
        let most = Double(swatches.first?.weight ?? 1)
        // No color has two names: the vivid ones choose first.
        for kind in [Kind.vibrant, .lightVibrant, .darkVibrant, .muted, .lightMuted, .darkMuted] {
            let goal = kind.goal
            let fitting = swatches.indices.filter { goal.admits(swatches[$0]) }
            guard let best = fitting.max(by: { goal.score(swatches[$0], most) < goal.score(swatches[$1], most) }) else {
                continue
            }
            colors[kind] = swatches.remove(at: best).color
        }
        if buildsMissing { buildMissing() }
    }

    /// Takes the hue of a color of the same vividness or, failing that, of any other one.
    private mutating func buildMissing() {
        let known = colors
        for kind in Kind.allCases where known[kind] == nil {
            let isAlike: (Kind) -> Bool = { $0.isVibrant == kind.isVibrant }
            let order = [Kind.vibrant, .muted, .darkVibrant, .darkMuted, .lightVibrant, .lightMuted]
            guard
                let source = (order.filter(isAlike) + order.filter { !isAlike($0) }).first(where: { known[$0] != nil }),
                let color = known[source]
            else { continue }
            var hues = HueColor(color)
            // A gray has no hue to be vivid in.
            if !isAlike(source), hues.saturation > 0 { hues.saturation = kind.goal.saturation }
            hues.lightness = kind.goal.lightness
            colors[kind] = hues.color
        }
    }
}

private struct Candidate {
    let color: ImageColor
    let hues: HueColor
    let weight: Int

    init(_ swatch: ColorPalette.Swatch) {
        (color, weight) = (swatch.color, swatch.weight)
        hues = HueColor(color)
    }
}

/// What a named color should be like, and what it may be like.
private struct Goal {
    let saturation: Double
    let saturations: ClosedRange<Double>
    let lightness: Double
    let lightnesses: ClosedRange<Double>

    func admits(_ candidate: Candidate) -> Bool {
        saturations.contains(candidate.hues.saturation) && lightnesses.contains(candidate.hues.lightness)
    }

    /// - Parameter most: The weight of the most frequent color.
    func score(_ candidate: Candidate, _ most: Double) -> Double {
        3 * (1 - abs(candidate.hues.saturation - saturation)) + 6 * (1 - abs(candidate.hues.lightness - lightness))
            + Double(candidate.weight) / most
    }
}

extension DominantColors.Kind {
    fileprivate var isVibrant: Bool { [.vibrant, .lightVibrant, .darkVibrant].contains(self) }

    fileprivate var goal: Goal {
        let (lightness, lightnesses): (Double, ClosedRange<Double>) =
            switch self {
            case .vibrant, .muted: (0.5, 0.3...0.7)
            case .lightVibrant, .lightMuted: (0.74, 0.55...1)
            case .darkVibrant, .darkMuted: (0.26, 0...0.45)
            }
        return Goal(
            saturation: isVibrant ? 1 : 0.3, saturations: isVibrant ? 0.35...1 : 0...0.4, lightness: lightness,
            lightnesses: lightnesses)
    }
}

/// A color by hue, saturation and lightness, each from 0 to 1.
private struct HueColor {
    var hue = 0.0
    var saturation = 0.0
    var lightness: Double

    init(_ color: ImageColor) {
        let (red, green, blue) = (Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
        let (most, least) = (max(red, green, blue), min(red, green, blue))
        lightness = (most + least) / 2
        let range = most - least
        guard range > 0 else { return }
        saturation = min(range / (1 - abs(2 * lightness - 1)), 1)
        let sixth =
            most == red ? (green - blue) / range : most == green ? (blue - red) / range + 2 : (red - green) / range + 4
        hue = (sixth < 0 ? sixth + 6 : sixth) / 6
    }

    var color: ImageColor {
        let chroma = (1 - abs(2 * lightness - 1)) * saturation
        func level(_ shift: Double) -> UInt8 {
            // The distance from the channel's own hue, in sixths.
            let distance = abs((hue * 6 - shift + 9).truncatingRemainder(dividingBy: 6) - 3)
            let share = min(max(2 - distance, 0), 1)
            return UInt8(min(max(((lightness - chroma / 2 + chroma * share) * 255).rounded(), 0), 255))
        }
        return ImageColor(red: level(0), green: level(2), blue: level(4))
    }
}
