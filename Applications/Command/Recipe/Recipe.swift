import CalotypeCodecs

/// The recipe for an image: its size, its steps, and its output format.
struct Recipe: Sendable {
    static let options: [Option] = [
        .size, .mode, .upscale, .filter, .crop, .gravity, .step, .square, .round, .circle, .format, .quality,
        .qualityTarget,
        .progressive, .keepColors, .lossless,
    ]

    let size: ResizeTarget?
    let steps: [any ImageStep]
    /// The format; if `nil`, the name of the source or of the result decides.
    let format: FileFormat?
    /// From 1 to 100; `nil` for the format's default.
    let quality: Int?
    /// The required similarity of the file to the image. If `nil`, `quality` applies.
    let qualityTarget: QualityTarget?
    let isProgressive: Bool
    let keepsColors: Bool
    let isLossless: Bool

    /// `true` if there is nothing to do: the bytes are written unchanged.
    var keepsOriginal: Bool { size == nil && steps.isEmpty && format == nil && qualityTarget == nil }

    init(_ arguments: Arguments) throws(UsageError) {
        size = try Recipe.target(arguments)
        steps = try Recipe.steps(arguments)
        format = try arguments.choice(.format, FileFormat.names)
        quality = try arguments.integer(.quality, in: 1...100)
        qualityTarget = try QualityTarget(arguments)
        isProgressive = arguments.has(.progressive)
        keepsColors = arguments.has(.keepColors)
        isLossless = arguments.has(.lossless)
        if let format, format != .jpeg, isProgressive || keepsColors {
            throw arguments.error("--progressive and --keep-colors are for jpeg")
        }
        if let format, format != .webp, isLossless { throw arguments.error("--lossless is for webp; png always is") }
    }

    /// The recipe as text. Equal keys make equal files of equal bytes.
    var key: String {
        let target = size.map { Resize($0).key } ?? ""
        let choices = "\(format.map { "\($0)" } ?? ""),\(quality ?? 0),\(qualityTarget?.description ?? "")"
        let switches = "\(isProgressive),\(keepsColors),\(isLossless)"
        return "\(codecVersion) \(target) \(steps.map(\.key).joined(separator: " ")) \(choices) \(switches)"
    }

    /// - Parameter quality: replaces the recipe's own.
    func encoding(_ format: FileFormat, quality chosen: Int? = nil) -> EncodingFormat {
        let quality = chosen ?? quality
        return switch format {
        case .jpeg:
            .jpeg(quality: quality ?? 80, isProgressive: isProgressive, keepsColors: keepsColors ? true : nil)
        case .png: .png
        case .webp: isLossless ? .webpLossless : .webp(quality: quality ?? 80)
        case .avif: quality.map { .avif(quality: $0) } ?? .avif()
        }
    }

    private static func target(_ arguments: Arguments) throws(UsageError) -> ResizeTarget? {
        let sides = try arguments.value(
            .size, wanted: "a size in pixels such as 400x300, 400 or x300", QuantityParser.size)
        let mode = try arguments.choice(.mode, modes)
        let upscales = arguments.has(.upscale)
        let filter = try arguments.choice(.filter, filters)
        let gravity = try arguments.choice(.gravity, Gravity.names)
        if gravity != nil, mode != .fill, !arguments.has(.crop) {
            throw arguments.error("--gravity requires --mode fill or --crop")
        }
        guard let sides else {
            guard mode == nil, !upscales, filter == nil else {
                throw arguments.error("--mode, --upscale and --filter require --size")
            }
            return nil
        }
        return ResizeTarget(
            width: sides.width, height: sides.height, mode: mode ?? .fit, upscales: upscales,
            gravity: gravity ?? .center, filter: filter ?? .automatic)
    }

    static let modes: [(word: String, value: ResizeTarget.Mode)] = [("fit", .fit), ("fill", .fill), ("exact", .exact)]

    static let filters: [(word: String, value: ResizeFilter)] = [
        .automatic, .box, .bilinear, .catmullRom, .lanczos3,
    ].map { (filter: ResizeFilter) in (filter.rawValue, filter) }

    /// Returns the steps: the crop, the named steps in their order, and the corners.
    private static func steps(_ arguments: Arguments) throws(UsageError) -> [any ImageStep] {
        var steps: [any ImageStep] = []
        if let crop = try crop(arguments) { steps.append(crop) }
        for text in arguments.all(.step) { steps.append(try StepForm.step(text, arguments)) }
        if arguments.has(.square) { steps.append(.square) }
        let radius = try arguments.value(.round, wanted: "a radius in pixels") { text in
            Double(text).flatMap { $0 > 0 && $0 < 65_536 ? $0 : nil }
        }
        if let radius { steps.append(RoundedCorners(radius: radius)) }
        if arguments.has(.circle) { steps.append(Circle()) }
        return steps
    }
}

extension Recipe {
    private static func crop(_ arguments: Arguments) throws(UsageError) -> Crop? {
        let size = try arguments.value(.crop, wanted: "a size in pixels such as 400x300") { text in
            QuantityParser.size(text).flatMap { sides in
                sides.width.flatMap { width in sides.height.map { PixelSize(width: width, height: $0) } }
            }
        }
        guard let size else { return nil }
        return Crop(size, gravity: try arguments.choice(.gravity, Gravity.names) ?? .center)
    }
}

extension Option {
    static let size = Option("size", "s", "WxH", help: "Pixels: 400x300, or 400 for the width, x300 for the height.")
    static let mode = Option(
        "mode", "m", "MODE", offers: .words(Recipe.modes.map(\.word)),
        help: "fit inside the size (default), fill it and cut off the rest, or exact: stretched.")
    static let upscale = Option("upscale", help: "Enlarge smaller images too.")
    static let filter = Option(
        "filter", nil, "FILTER", offers: .words(Recipe.filters.map(\.word)),
        help: "automatic (default), box, bilinear, catmull-rom or lanczos3. Automatic is lanczos3 to shrink.")
    static let crop = Option("crop", nil, "WxH", help: "Cut out this many pixels of the result, where --gravity says.")
    static let gravity = Option(
        "gravity", nil, "GRAVITY", offers: .words(Gravity.names.map(\.word)),
        help: "What --mode fill and --crop keep: center (default), top, bottom-left and so on, or attention.")
    static let step = Option(
        "step", nil, "STEP", offers: .words(StepForm.all.map(\.offer)),
        help: "A step such as blur=4. May be given several times, in order.")
    static let square = Option("square", help: "Cut to a square around the middle.")
    static let round = Option("round", nil, "RADIUS", help: "Round the corners off.")
    static let circle = Option("circle", help: "Cut to a circle.")
    static let format = Option(
        "format", "f", "FORMAT", offers: .words(FileFormat.names.map(\.word)), help: "Write jpeg, png, webp or avif.")
    static let quality = Option(
        "quality", "q", "1-100", isSetting: true, help: "For jpeg, webp (80 by default) and avif (60).")
    static let qualityTarget = Option(
        "quality-target", nil, "MEASURE", offers: .words(["ssim=", "psnr="]),
        help: "The lowest quality that comes as near as ssim=0.98, or psnr=40 in decibels. Not for animations.")
    static let progressive = Option("progressive", help: "Write jpeg in scans of growing detail.")
    static let keepColors = Option("keep-colors", help: "Write jpeg with colors at full resolution (4:4:4).")
    static let lossless = Option("lossless", help: "Write webp that loses nothing.")
}
