import CalotypeBase
import CalotypeCodecs

/// The syntax of a step for `--step`, and the function that makes the step.
struct StepForm: Sendable {
    /// The syntax as help and errors show it, such as "sharpen[=SIGMA[,AMOUNT]]".
    let synopsis: String
    /// Makes the step from its values. Returns `nil` if a value is missing or invalid.
    let make: @Sendable (inout StepValues) throws(UsageError) -> (any ImageStep)?

    init(_ synopsis: String, _ make: @escaping @Sendable (inout StepValues) throws(UsageError) -> (any ImageStep)?) {
        (self.synopsis, self.make) = (synopsis, make)
    }

    var name: String { String(synopsis.prefix { $0.isLetter }) }

    /// The completion that a shell offers: the name, with "=" if a value must follow.
    var offer: String { synopsis.hasPrefix("\(name)=") ? "\(name)=" : name }

    static let all: [StepForm] = [
        StepForm("resize=WxH[,MODE]") { values in
            guard let size = values.size(), let mode = values.mode(or: .fit) else { return nil }
            return ImageSteps.Resize(ResizeTarget(width: size.width, height: size.height, mode: mode))
        },
        StepForm("crop=WxH[,GRAVITY]") { values in
            guard let size = values.wholeSize(), let gravity = values.gravity(or: .center) else { return nil }
            return ImageSteps.Crop(size, gravity: gravity)
        },
        StepForm("square[=GRAVITY]") { values in values.gravity(or: .center).map { ImageSteps.Crop(square: $0) } },
        StepForm("circle") { _ in ImageSteps.Circle() },
        StepForm("round=RADIUS") { values in values.number(in: lengths).map { ImageSteps.RoundedCorners(radius: $0) } },
        StepForm("rotate=DEGREES") { values in
            guard let degrees = values.whole(-270...270), degrees % 90 == 0 else { return nil }
            return ImageSteps.Rotate(quarterTurns: degrees / 90)
        },
        StepForm("flip=horizontal|vertical") { values in values.direction() },
        StepForm("trim[=TOLERANCE]") { values in values.whole(0...255, or: 10).map { ImageSteps.Trim(tolerance: $0) } },
        StepForm("pad=PIXELS[,COLOR]") { values in
            guard let width = values.whole(0...65_535), let color = values.color(or: .clear) else { return nil }
            return ImageSteps.Pad(width, color: color)
        },
        StepForm("extend=WxH[,COLOR[,GRAVITY]]") { values in
            guard let size = values.wholeSize(), let color = values.color(or: .clear),
                let gravity = values.gravity(or: .center)
            else { return nil }
            return ImageSteps.Pad(to: size, gravity: gravity, color: color)
        },
        StepForm("background=COLOR") { values in values.color().map { ImageSteps.Background($0) } },
        StepForm("border=WIDTH,COLOR[,RADIUS]") { values in
            guard let width = values.number(in: lengths), let color = values.color(),
                let radius = values.number(in: 0...65_535, or: 0)
            else { return nil }
            return ImageSteps.Border(width: width, color: color, radius: radius)
        },
        StepForm("blur=SIGMA") { values in values.number(in: above(0, to: 1000)).map { ImageSteps.Blur(sigma: $0) } },
        StepForm("sharpen[=SIGMA[,AMOUNT]]") { values in
            guard let sigma = values.number(in: above(0, to: 100), or: 1),
                let amount = values.number(in: 0...10, or: 0.5)
            else { return nil }
            return ImageSteps.Sharpen(sigma: sigma, amount: amount)
        },
        StepForm("grayscale") { _ in ImageSteps.ColorAdjustment.grayscale },
        StepForm("tint=COLOR[,AMOUNT]") { values in
            guard let color = values.color(), let amount = values.number(in: 0...1, or: 1) else { return nil }
            return ImageSteps.ColorAdjustment.tint(color, amount: amount)
        },
        StepForm("brightness=FACTOR") { values in
            values.number(in: 0...100).map { ImageSteps.ColorAdjustment.brightness($0) }
        },
        StepForm("contrast=FACTOR") { values in
            values.number(in: 0...100).map { ImageSteps.ColorAdjustment.contrast($0) }
        },
        StepForm("saturation=FACTOR") { values in
            values.number(in: 0...100).map { ImageSteps.ColorAdjustment.saturation($0) }
        },
        StepForm("pixelate=PIXELS") { values in values.whole(1...65_535).map { ImageSteps.Pixelate($0) } },
        StepForm("overlay=FILE[,GRAVITY[,OPACITY[,SCALE]]]") { (values) throws(UsageError) in
            guard let image = try values.image(), let gravity = values.gravity(or: .bottomRight),
                let opacity = values.number(in: 0...1, or: 1), let scale = values.number(in: above(0, to: 1), or: .nan)
            else { return nil }
            return ImageSteps.Overlay(image, gravity: gravity, opacity: opacity, scale: scale)
        },
    ]

    /// The range of lengths that have a visible effect, in pixels.
    private static let lengths = above(0, to: 65_535)

    private static func above(_ least: Double, to most: Double) -> ClosedRange<Double> { least.nextUp...most }

    static var note: String {
        """
        Steps run in the order given, after --size and --crop and before --square, --round and --circle: \
        \(all.map(\.synopsis).joined(separator: " · ")). A COLOR is #rgb, #rrggbb, #rrggbbaa, black, white or clear. A \
        GRAVITY is center, top, bottom, left, right, top-left and so on, or attention, which keeps the part that draws \
        the eye.
        """
    }
}

extension StepForm {
    static func step(_ value: ByteString, _ arguments: Arguments) throws(UsageError) -> any ImageStep {
        let parts = value.split(separator: UInt8(ascii: "="), maxSplits: 1)
        let (text, name) = (value.displayed, parts[0].displayed)
        guard let form = all.first(where: { $0.name == name }) else {
            let hint = Suggestion.nearest(to: name, among: all.map(\.name)).map { "did you mean \($0)?" }
            throw arguments.error(
                "--step \(text): unknown step; \(hint ?? "expected one of \(all.map(\.name).joined(separator: ", "))")")
        }
        var values = StepValues(parts.count > 1 ? parts[1] : "", arguments)
        guard let step = try form.make(&values), values.isEmpty else {
            throw arguments.error("--step \(text): expected \(form.synopsis)")
        }
        return step
    }
}
