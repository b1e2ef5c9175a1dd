import CalotypeCodecs

struct Recipe: Sendable {
    static let options: [Option] = [
        .size, .mode, .upscale, .filter, .crop, .gravity, .step, .square, .round, .circle, .format, .quality,
        .qualityTarget, .progressive, .keepColors, .keepProfile, .avifSpeed, .lossless, .keptGamut, .keptGainMaps,
        .keepMetadata, .recompress,
    ]

    let size: ResizeTarget?
    let steps: [any ImageStep]
    /// The value of --format. If `nil`, the extension of the result's name or the format of the source decides.
    let format: FileFormat?
    /// The quality from 1 to 100; `nil` for the format's default.
    let quality: Int?
    /// Whether the command line has the quality, not the configuration.
    private let demandsQuality: Bool
    /// The required similarity, which overrides a quality in the configuration.
    let qualityTarget: QualityTarget?
    let isProgressive: Bool
    let keepsColors: Bool
    let keepsProfile: Bool
    /// The speed of writing AVIF from 0 to 10; `nil` for 6.
    let avifSpeed: Int?
    let isLossless: Bool
    /// The widest gamut of results; `nil` if the command line does not name it.
    private let chosenGamut: ColorGamut?
    /// Whether results in JPEG keep the gain map; `nil` if the command line does not say.
    private let choosesGainMaps: Bool?
    /// Whether a JPEG becomes a JPEG XL that stores it without loss, and such a JPEG XL the JPEG that it was.
    let recompresses: Bool
    /// The metadata of the source that the result keeps; `nil` if the command line does not name it.
    private let chosenMetadata: KeptMetadata?

    var metadata: KeptMetadata { chosenMetadata ?? .copyright }

    private var gamut: ColorGamut { chosenGamut ?? .sRGB }
    private var keepsGainMaps: Bool { choosesGainMaps ?? false }

    /// The layout of the decode; `nil` for the full size in sRGB.
    var layout: (any ImageLayout)? {
        guard gamut != .sRGB || keepsGainMaps else { return size }
        return GamutLayout(size, in: gamut, gainMapSide: keepsGainMaps ? 1 : nil)
    }

    /// Whether the bytes are written unchanged, because no option changes them. A quality in the configuration is for
    /// images that are encoded anyway.
    var keepsOriginal: Bool {
        size == nil && steps.isEmpty && format == nil && qualityTarget == nil && !demandsQuality
            && !isProgressive && !keepsColors && !keepsProfile && avifSpeed == nil && !isLossless
            && !recompresses && (chosenMetadata ?? .all) == .all && chosenGamut != .sRGB && choosesGainMaps != false
    }

    init(_ arguments: Arguments) throws(UsageError) {
        size = try Recipe.target(arguments)
        steps = try Recipe.steps(arguments)
        format = try arguments.choice(.format, FileFormat.names)
        quality = try arguments.integer(.quality, in: 1...100)
        demandsQuality = arguments.demands(.quality)
        qualityTarget = try QualityTarget(.qualityTarget, arguments)
        isProgressive = arguments.has(.progressive)
        keepsColors = arguments.has(.keepColors)
        keepsProfile = arguments.has(.keepProfile)
        avifSpeed = try arguments.integer(.avifSpeed, in: 0...10)
        isLossless = arguments.has(.lossless)
        recompresses = arguments.has(.recompress)
        chosenGamut = try arguments.choice(.keptGamut, [("keep", .displayP3), ("srgb", .sRGB)])
        choosesGainMaps = try arguments.choice(.keptGainMaps, [("keep", true), ("drop", false)])
        chosenMetadata = try arguments.choice(.keepMetadata, KeptMetadata.allCases.map { ($0.rawValue, $0) })
        if qualityTarget != nil, demandsQuality || isLossless {
            throw arguments.error("--quality-target chooses the quality; leave out --quality and --lossless")
        }
        if isLossless, demandsQuality { throw arguments.error("--lossless keeps all pixels; leave out --quality") }
        let others = Recipe.options.filter { $0.name != Option.recompress.name && arguments.demands($0) }
        if recompresses, let other = others.first {
            throw arguments.error("--recompress keeps the image as it is; leave out --\(other.name)")
        }
        try check([], arguments)
    }

    /// The options that apply to some of the formats only.
    private static let limited: [(option: Option, formats: [FileFormat])] = [
        (.quality, FileFormat.lossy), (.qualityTarget, FileFormat.lossy), (.lossless, FileFormat.losslessByOption),
        (.progressive, [.jpeg]), (.keepColors, [.jpeg]), (.keepProfile, [.jpeg]), (.avifSpeed, [.avif]),
        (.keptGainMaps, [.jpeg, .avif]),
    ]

    /// Throws if an option of the command line applies to none of the results.
    ///
    /// - Parameter likely: The formats of the results according to their names, unless --format determines it. `nil`
    ///   stands for a format that the names do not show.
    func check(_ likely: [FileFormat?], _ arguments: Arguments) throws(UsageError) {
        let formats = format.map { [$0] } ?? likely.compactMap(\.self)
        guard !formats.isEmpty, format != nil || formats.count == likely.count else { return }
        for (option, fitting) in Recipe.limited
        where arguments.demands(option) && Set(formats).isDisjoint(with: fitting) {
            let others = FileFormat.list(FileFormat.allCases.filter(formats.contains))
            throw arguments.error("--\(option.name) applies to \(FileFormat.list(fitting)) only, not to \(others)")
        }
    }

    /// The recipe as text. Recipes with equal keys make equal files from equal bytes.
    var key: String {
        let target = size.map { ImageSteps.Resize($0).key } ?? ""
        let choices = "\(format.map { "\($0)" } ?? ""),\(quality ?? 0),\(qualityTarget?.description ?? "")"
        let switches =
            "\(isProgressive),\(keepsColors),\(keepsProfile),\(avifSpeed ?? 6),\(isLossless),\(metadata)\(recompresses ? ",recompress" : "")"
        let light = (gamut == .sRGB ? "" : ",\(gamut)") + (keepsGainMaps ? ",maps" : "")
        return "\(codecVersion) \(target) \(steps.map(\.key).joined(separator: " ")) \(choices) \(switches)\(light)"
    }

    /// - Parameter chosen: The quality. If `nil` (the default), the quality of the recipe.
    func encoding(_ format: FileFormat, quality chosen: Int? = nil) -> EncodingFormat {
        let quality = chosen ?? quality
        return switch format {
        case .jpeg:
            .jpeg(
                quality: quality ?? 80, isProgressive: isProgressive, keepsColors: keepsColors ? true : nil,
                hasProfile: keepsProfile)
        case .png: .png
        case .webp: isLossless ? .webpLossless : .webp(quality: quality ?? 80)
        case .avif: .avif(quality: quality ?? 60, speed: avifSpeed ?? 6)
        #if JPEGXL
            case .jxl: isLossless ? .jpegXLLossless : .jpegXL(quality: quality ?? 75)
        #endif
        }
    }

    private static func target(_ arguments: Arguments) throws(UsageError) -> ResizeTarget? {
        let sides = try arguments.value(
            .size, wanted: "a size \(QuantityParser.sizeRule), such as 400x300, 400 or x300", QuantityParser.size)
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

    /// Returns the steps in order: --crop, each --step, --square, --round and --circle.
    private static func steps(_ arguments: Arguments) throws(UsageError) -> [any ImageStep] {
        var steps: [any ImageStep] = []
        if let crop = try crop(arguments) { steps.append(crop) }
        for step in arguments.allGiven(.step) { steps.append(try StepForm.step(step.bytes, arguments)) }
        if arguments.has(.square) { steps.append(.square) }
        let radius = try arguments.value(.round, wanted: "a radius in pixels") { text in
            Double(text).flatMap { $0 > 0 && $0 < 65_536 ? $0 : nil }
        }
        if let radius { steps.append(ImageSteps.RoundedCorners(radius: radius)) }
        if arguments.has(.circle) { steps.append(ImageSteps.Circle()) }
        return steps
    }

    private static func crop(_ arguments: Arguments) throws(UsageError) -> ImageSteps.Crop? {
        let wanted = "a size \(QuantityParser.sizeRule), such as 400x300"
        guard let size = try arguments.value(.crop, wanted: wanted, QuantityParser.wholeSize) else { return nil }
        return ImageSteps.Crop(size, gravity: try arguments.choice(.gravity, Gravity.names) ?? .center)
    }
}

extension Option {
    static let size = Option(
        "size", "s", "WxH", help: "The size in pixels: 400x300, or only a width (400) or a height (x300).")
    static let mode = Option(
        "mode", "m", "MODE", offers: .words(Recipe.modes.map(\.word)),
        help: "fit inside the size (the default), fill it and crop the rest, or exact: stretch the image.")
    static let upscale = Option("upscale", help: "Also enlarge images that are smaller than the size.")
    static let filter = Option(
        "filter", nil, "FILTER", offers: .words(Recipe.filters.map(\.word)),
        help: "automatic (the default: lanczos3 if the image shrinks), box, bilinear, catmull-rom or lanczos3.")
    static let crop = Option(
        "crop", nil, "WxH", help: "Crop the resized image to this size; --gravity chooses the part.")
    static let gravity = Option(
        "gravity", nil, "GRAVITY", offers: .words(Gravity.names.map(\.word)),
        help:
            "The part to keep with --mode fill and --crop: center (the default), top, top-left and so on, or attention."
    )
    static let step = Option(
        "step", nil, "STEP", offers: .words(StepForm.all.map(\.offer)), takesBytes: true,
        help: "Apply a step such as blur=4. Can be repeated; steps run in the order given.")
    static let square = Option("square", help: "Crop to the largest square in the center.")
    static let round = Option("round", nil, "RADIUS", help: "Round the corners by this radius in pixels.")
    static let circle = Option("circle", help: "Crop to a circle.")
    static let format = Option(
        "format", "f", "FORMAT", offers: .words(FileFormat.names.map(\.word)),
        help: "Write \(FileFormat.list(FileFormat.allCases, word: "or")).")
    static let quality = Option(
        "quality", "q", "1-100", isSetting: true,
        help: "The quality. The default is 80 for jpeg and webp, 60 for avif and 75 for jxl.")
    static let qualityTarget = Option(
        "quality-target", nil, "MEASURE", offers: .words(["ssimulacra2=", "ssim=", "psnr="]),
        help:
            "Use the lowest quality that reaches this similarity: ssimulacra2=75 (points), ssim=0.98 or psnr=40 (decibels)."
    )
    static let progressive = Option(
        "progressive", help: "Write progressive jpeg, which appears in scans of increasing detail.")
    static let keepColors = Option("keep-colors", help: "Write jpeg with colors at full resolution (4:4:4).")
    static let keepProfile = Option(
        "keep-profile",
        help: "Write the sRGB profile of 588 bytes into jpeg. Without a profile, readers assume sRGB.")
    static let keptGamut = Option(
        "gamut", nil, "keep|srgb", offers: .words(["keep", "srgb"]),
        help:
            "Keep colors beyond sRGB, as Display P3, in results that have some, or convert all to sRGB. The default is srgb."
    )
    static let keptGainMaps = Option(
        "gain-maps", nil, "keep|drop", offers: .words(["keep", "drop"]),
        help: "Keep gain maps in jpeg and avif, for HDR displays, or drop them. The default is drop.")
    static let avifSpeed = Option(
        "avif-speed", nil, "0-10",
        help: "The speed of writing avif, from 0 (smallest files) to 10. The default is 6, and 8 in serve.")
    static let lossless = Option(
        "lossless", help: "Write lossless \(FileFormat.list(FileFormat.losslessByOption, word: "or")).")
    static let recompress = Option(
        "recompress",
        help: "Store a jpeg without any loss as jxl, a tenth to a fifth smaller; and such a jxl as that jpeg.")
    static let keepMetadata = Option(
        "keep-metadata", nil, "METADATA", offers: .words(KeptMetadata.allCases.map(\.rawValue)),
        help: "none, copyright (the default: also the author) or all: EXIF with the date, the camera and the place.")
}
