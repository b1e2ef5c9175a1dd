import CalotypeCodecs

/// The recipe for an image: its size, its steps, and the format it is written in.
struct Recipe: Sendable {
    static let options: [Option] = [
        .size, .mode, .gravity, .upscale, .filter, .step, .square, .round, .circle, .format, .quality,
    ]

    let size: ResizeTarget?
    let steps: [any ImageStep]
    /// The format; if `nil`, the one that the name of the source or of the result says.
    let format: FileFormat?
    /// 0 to 1.
    let quality: Int

    /// Nothing is to be done: the bytes are written as they came.
    var keepsOriginal: Bool { size == nil && steps.isEmpty && format == nil }

    init(_ arguments: Arguments) throws(UsageError) {
        size = try Recipe.target(arguments)
        steps = try Recipe.steps(arguments)
        format = try arguments.choice(.format, FileFormat.names)
        quality = try arguments.integer(.quality, in: 1...100) ?? 80
    }

    func encoding(_ format: FileFormat) -> EncodingFormat {
        switch format {
        case .jpeg: .jpeg(quality: quality)
        case .png: .png
        case .webp: .webp(quality: quality)
        }
    }

    private static func target(_ arguments: Arguments) throws(UsageError) -> ResizeTarget? {
        let sides = try arguments.value(
            .size, wanted: "a size in pixels such as 400x300, 400 or x300", QuantityParser.size)
        let mode = try arguments.choice(.mode, [("fit", .fit), ("fill", .fill), ("exact", ResizeTarget.Mode.exact)])
        let upscales = arguments.has(.upscale)
        let filter = try arguments.choice(.filter, filters)
        let gravity = try arguments.choice(.gravity, Gravity.names)
        if gravity != nil, mode != .fill { throw arguments.error("--gravity needs --mode fill") }
        guard let sides else {
            guard mode == nil, !upscales, filter == nil else {
                throw arguments.error("--mode, --upscale and --filter need --size")
            }
            return nil
        }
        return ResizeTarget(
            width: sides.width, height: sides.height, mode: mode ?? .fit, upscales: upscales,
            gravity: gravity ?? .center, filter: filter ?? .automatic)
    }

    private static let filters: [(String, ResizeFilter)] = [
        .automatic, .box, .bilinear, .catmullRom, .lanczos3,
    ].map { (filter: ResizeFilter) in (filter.rawValue, filter) }

    /// Named steps in their order, then cut, then take the corners off.
    private static func steps(_ arguments: Arguments) throws(UsageError) -> [any ImageStep] {
        var steps: [any ImageStep] = []
        for text in arguments.all(.step) { steps.append(try StepForm.step(text, arguments)) }
        if arguments.has(.square) { steps.append(Square()) }
        let radius = try arguments.value(.round, wanted: "a radius in pixels") { text in
            Double(text).flatMap { $0 > 0 && $0 < 65_536 ? $0 : nil }
        }
        if let radius { steps.append(RoundedCorners(radius: radius)) }
        if arguments.has(.circle) { steps.append(Circle()) }
        return steps
    }
}

extension Option {
    static let size = Option("size", "s", "WxH", help: "Pixels: 400x300, or 400 for the width, x300 for the height.")
    static let mode = Option(
        "mode", "m", "MODE", help: "fit inside the size (default), fill it and cut off the rest, or exact: stretched.")
    static let upscale = Option("upscale", help: "Enlarge smaller pictures too.")
    static let filter = Option(
        "filter", nil, "FILTER",
        help: "automatic (default), box, bilinear, catmull-rom or lanczos3. Automatic is lanczos3 to shrink.")
    static let gravity = Option(
        "gravity", nil, "GRAVITY",
        help: "What --mode fill keeps: center (default), top, bottom-left and so on, or attention: what draws the eye.")
    static let step = Option("step", nil, "STEP", help: "A step such as blur=4. May be given several times, in order.")
    static let square = Option("square", help: "Cut to a square around the middle.")
    static let round = Option("round", nil, "RADIUS", help: "Round the corners off.")
    static let circle = Option("circle", help: "Cut to a circle.")
    static let format = Option("format", "f", "FORMAT", help: "Write jpeg, png or webp.")
    static let quality = Option("quality", "q", "1-100", help: "For jpeg and webp. 80 unless told otherwise.")
}
