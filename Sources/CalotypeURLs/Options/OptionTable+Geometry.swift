import CalotypeBase

// The options of size, area and orientation.

extension OptionTable {
    /// The longest side that a URL may request, in pixels.
    static let longestSide = 8192

    static let size: [OptionRow] = [
        OptionRow("resize", "rs", takes: 8) { (options, arguments) throws(RenditionError) in
            if !arguments.isOmitted(0) { try readResizing(&options, arguments) }
            try readSize(&options, arguments.dropFirst(1))
        },
        OptionRow("size", "s", takes: 7) { (options, arguments) throws(RenditionError) in
            try readSize(&options, arguments)
        },
        OptionRow(
            "resizing_type", "rt", takes: 1, write: { $0.resizing == .fit ? nil : ByteString($0.resizing.rawValue) }
        ) {
            (options, arguments) throws(RenditionError) in
            try readResizing(&options, arguments)
        },
        .integer(\.width, 0...longestSide, "width", "w"),
        .integer(\.height, 0...longestSide, "height", "h"),
        .integer(\.minWidth, 0...longestSide, "min-width", "mw"),
        .integer(\.minHeight, 0...longestSide, "min-height", "mh"),
        OptionRow(
            "zoom", "z", takes: 2,
            write: { $0.zoomX == 1 && $0.zoomY == 1 ? nil : "\($0.zoomX.short):\($0.zoomY.short)" }
        ) { (options, arguments) throws(RenditionError) in
            options.zoomX = try arguments.factor(0, to: 100)
            options.zoomY = arguments.isOmitted(1) ? options.zoomX : try arguments.factor(1, to: 100)
        },
        OptionRow("dpr", takes: 1, write: { $0.dpr == 1 ? nil : $0.dpr.short }) {
            (options, arguments) throws(RenditionError) in
            options.dpr = try arguments.factor(0, to: 100)
        },
        .flag(\.enlarges, "enlarge", "el"),
    ]

    private static func readResizing(
        _ options: inout RenditionOptions, _ arguments: OptionArguments
    ) throws(RenditionError) {
        let text = try arguments.text(0)
        guard let resizing = RenditionOptions.Resizing(rawValue: text.string) else {
            let names = RenditionOptions.Resizing.allCases.map(\.rawValue).joined(separator: ", ")
            throw arguments.error("\(text.quoted) is not one of \(names)")
        }
        options.resizing = resizing
    }

    private static func readSize(_ options: inout RenditionOptions, _ arguments: OptionArguments) throws(RenditionError)
    {
        if !arguments.isOmitted(0) { options.width = try arguments.integer(0, in: 0...longestSide) }
        if !arguments.isOmitted(1) { options.height = try arguments.integer(1, in: 0...longestSide) }
        if !arguments.isOmitted(2) { options.enlarges = try arguments.flag(2) }
        if !arguments.isOmitted(3) {
            options.extend = try canvas(arguments.dropFirst(3), &options.given.extend)
        }
    }

    static let area: [OptionRow] = [
        OptionRow("gravity", "g", write: { $0.gravity == .center ? nil : $0.gravity.text }) {
            (options, arguments) throws(RenditionError) in
            try arguments.readAnchor(&options.gravity, .ofCrops)
        },
        OptionRow("crop", "c", write: { $0.crop?.text }) { (options, arguments) throws(RenditionError) in
            let longest = 65_535.0
            var crop = options.given.crop
            if !arguments.isOmitted(0) { crop.width = try arguments.number(0, in: 0...longest) }
            if !arguments.isOmitted(1) { crop.height = try arguments.number(1, in: 0...longest) }
            if arguments.values.count > 2 {
                var anchor = crop.anchor ?? .center
                try arguments.dropFirst(2).readAnchor(&anchor, .ofCrops)
                crop.anchor = anchor
            }
            options.given.crop = crop
            options.crop = crop.width == 0 && crop.height == 0 ? nil : crop
        },
        OptionRow("trim", "t", takes: 4, write: { $0.trim?.text }) { (options, arguments) throws(RenditionError) in
            // As in imgproxy, no tolerance switches it off, and no color means that of the top left pixel. No two
            // channels differ by more than 255.
            var trim = options.given.trim
            if !arguments.isOmitted(0) { trim.tolerance = min(try arguments.number(0, in: 0...1e9), 255) }
            trim.color = arguments.isOmitted(1) ? nil : try arguments.color(1)
            if !arguments.isOmitted(2) { trim.isEqualHorizontally = try arguments.flag(2) }
            if !arguments.isOmitted(3) { trim.isEqualVertically = try arguments.flag(3) }
            options.given.trim = trim
            options.trim = arguments.isOmitted(0) ? nil : trim
        },
        OptionRow("extend", "ex", write: { $0.extend.map(canvasText) }) { (options, arguments) throws(RenditionError) in
            options.extend = try canvas(arguments, &options.given.extend)
        },
        OptionRow(
            "extend_aspect_ratio", "extend_ar", "exar", write: { $0.extendAspectRatio.map(canvasText) }
        ) { (options, arguments) throws(RenditionError) in
            options.extendAspectRatio = try canvas(arguments, &options.given.extendAspectRatio)
        },
        OptionRow("padding", "pd", takes: 4, write: { $0.padding?.text }) {
            (options, arguments) throws(RenditionError) in
            var padding = RenditionOptions.Padding()
            // As in imgproxy, sides that are left out follow from those before them; the first one stays as it was.
            padding.top = try side(0, arguments) ?? options.padding?.top ?? 0
            padding.right = try side(1, arguments) ?? padding.top
            padding.bottom = try side(2, arguments) ?? padding.top
            padding.left = try side(3, arguments) ?? padding.right
            options.padding = padding == RenditionOptions.Padding() ? nil : padding
        },
    ]

    /// Reads "1:gravity", or returns `nil` for "0".
    ///
    /// - Parameter anchor: The gravity so far, which stays if the arguments have no other.
    private static func canvas(
        _ arguments: OptionArguments, _ anchor: inout RenditionOptions.Anchor
    ) throws(RenditionError) -> RenditionOptions.Anchor? {
        try arguments.atMost(4)
        let isOn = try arguments.flag(0)
        if arguments.values.count > 1 { try arguments.dropFirst(1).readAnchor(&anchor, .ofCanvases) }
        return isOn ? anchor : nil
    }

    private static func side(_ index: Int, _ arguments: OptionArguments) throws(RenditionError) -> Int? {
        arguments.isOmitted(index) ? nil : try arguments.integer(index, in: 0...longestSide)
    }

    @Sendable private static func canvasText(_ anchor: RenditionOptions.Anchor) -> ByteString {
        anchor == .center ? "1" : "1:\(anchor.text)"
    }

    static let orientation: [OptionRow] = [
        .flag(\.turnsUpright, "auto_rotate", "ar"),
        OptionRow("rotate", "rot", takes: 1, write: { $0.quarterTurns == 0 ? nil : "\(90 * $0.quarterTurns)" }) {
            (options, arguments) throws(RenditionError) in
            let angle = try arguments.integer(0, in: -36_000...36_000)
            guard angle.isMultiple(of: 90) else { throw arguments.error("\(angle) is not a multiple of 90") }
            options.quarterTurns = angle / 90 & 3
        },
        .flags(\.flipsHorizontally, \.flipsVertically, "flip", "fl"),
    ]
}

extension RenditionOptions.Crop {
    fileprivate var text: ByteString {
        "\(width.short):\(height.short)\(anchor.map { ":\($0.text)" } ?? "")"
    }
}

extension RenditionOptions.Trim {
    fileprivate var text: ByteString {
        let color = color.map { ByteString($0.description.dropFirst()) } ?? ""
        return "\(tolerance.short):\(color):\(isEqualHorizontally ? 1 : 0):\(isEqualVertically ? 1 : 0)"
    }
}

extension RenditionOptions.Padding {
    fileprivate var text: ByteString { "\(top):\(right):\(bottom):\(left)" }
}
