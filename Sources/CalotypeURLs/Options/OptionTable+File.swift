import CalotypeBase
import CalotypeHTTP

// The options of the file, its limits and its delivery.

extension OptionTable {
    static let file: [OptionRow] = [
        // No `write`: the canonical text names the format after the source instead.
        OptionRow("format", "f", "ext", takes: 1) { (options, arguments) throws(RenditionError) in
            options.choosesByContent = try arguments.text(0) == "best"
            options.format = options.choosesByContent ? nil : try format(0, arguments)
        },
        .integer(\.quality, 0...100, "quality", "q"),
        OptionRow("format_quality", "fq", write: { $0.qualitiesText }) { (options, arguments) throws(RenditionError) in
            guard arguments.values.count.isMultiple(of: 2) else { throw arguments.error("a quality is missing") }
            for index in stride(from: 0, to: arguments.values.count, by: 2) {
                let quality = try arguments.integer(index + 1, in: 0...100)
                // A quality of a format that is never written changes nothing.
                if unwritten.contains(arguments.values[index]) { continue }
                options.qualities[try format(index, arguments)] = quality == 0 ? nil : quality
            }
        },
        .integer(\.maxBytes, 0...1 << 40, "max_bytes", "mb"),
        OptionRow("autoquality", "aq", takes: 5, write: { $0.autoQualityText }) {
            (options, arguments) throws(RenditionError) in
            try options.readAutoQuality(arguments)
        },
        .flags(\.jpeg.isProgressive, \.jpeg.keepsColors, "jpeg_options", "jpgo"),
        OptionRow("png_options", "pngo", takes: 3, write: { $0.pngText }) {
            (options, arguments) throws(RenditionError) in
            if !arguments.isOmitted(0) { options.png.isInterlaced = try arguments.flag(0) }
            if !arguments.isOmitted(1) { options.png.isQuantized = try arguments.flag(1) }
            if !arguments.isOmitted(2) { options.png.colors = try arguments.integer(2, in: 2...256) }
        },
        OptionRow("webp_options", "webpo", takes: 1, write: { $0.isLosslessWebP ? "lossless" : nil }) {
            (options, arguments) throws(RenditionError) in
            switch try arguments.text(0) {
            case "lossy": options.isLosslessWebP = false
            case "lossless": options.isLosslessWebP = true
            default: throw arguments.error("\(arguments.values[0].quoted) is not lossy or lossless")
            }
        },
        .flag(\.disablesAnimation, "disable_animation", "da"),
        .constant(true, "strip_metadata", "sm"),
        .flag(\.keepsCredits, "keep_copyright", "kcr"),
        .flag(\.stripsProfile, "strip_color_profile", "scp"),
        // Of the two kinds of sources with more light, results keep that of gain maps alone.
        .flag(\.keepsGainMap, "preserve_hdr", "ph").differing(from: false),
        .constant(false, "enforce_thumbnail", "eth"),
        OptionRow("skip_processing", "skp", write: { $0.unprocessedText }) {
            (options, arguments) throws(RenditionError) in
            for index in arguments.values.indices {
                let name = try arguments.text(index)
                guard let format = RenditionSourceFormat(extension: name) else {
                    throw arguments.error("\(name.quoted) is not one of \(RenditionSourceFormat.names)")
                }
                options.unprocessed.insert(format)
            }
        },
        .flag(\.isRaw, "raw"),
        OptionRow("cachebuster", "cb", takes: 1, write: { $0.cacheBuster.isEmpty ? nil : $0.cacheBuster }) {
            (options, arguments) throws(RenditionError) in
            options.cacheBuster = arguments.values[0]
        },
    ]

    /// The formats of imgproxy that the server does not write.
    private static let unwritten = Set<ByteString>(["jxl", "gif", "tiff", "bmp", "heic", "ico"])
        .subtracting(RenditionFormat.allCases.map { ByteString($0.rawValue) })

    private static func format(_ index: Int, _ arguments: OptionArguments) throws(RenditionError) -> RenditionFormat {
        let name = try arguments.text(index)
        guard let format = RenditionFormat(extension: name) else {
            let remedy = name == "jxl" ? "; the server needs the package trait JPEGXL for it" : ""
            throw arguments.error("\(name.quoted) is not one of \(RenditionFormat.names)\(remedy)")
        }
        return format
    }

    static let limits: [OptionRow] = [
        limit(\.maxSourcePixels, megapixels, "max_src_resolution", "msr"),
        limit(\.maxSourceBytes, 1, "max_src_file_size", "msfs"),
        limit(\.maxFrames, 1, "max_animation_frames", "maf"),
        limit(\.maxFramePixels, megapixels, "max_animation_frame_resolution", "mafr"),
        limit(\.maxResultSide, 1, "max_result_dimension", "mrd"),
    ]

    private static let megapixels = 1e6

    /// Returns the row of a limit that URLs state in multiples of `unit` pixels or bytes. 0 keeps the server's limit.
    private static func limit(_ path: OptionRow.Path<Int?>, _ unit: Double, _ long: ByteString, _ short: ByteString)
        -> OptionRow
    {
        OptionRow(long, short, takes: 1, write: { $0[keyPath: path].map { (Double($0) / unit).short } }) {
            (options, arguments) throws(RenditionError) in
            let number = Int((try arguments.number(0, in: 0...1e12 / unit) * unit).rounded())
            options[keyPath: path] = number == 0 ? nil : number
        }
    }

    static let delivery: [OptionRow] = [
        OptionRow("expires", "exp", takes: 1) { (options, arguments) throws(RenditionError) in
            let time = try arguments.integer(0, in: 0...1 << 53)
            guard time <= 1 << 40 else { throw arguments.error("\(time) is in milliseconds; write seconds since 1970") }
            options.expires = time == 0 ? nil : time
        },
        OptionRow("filename", "fn", takes: 2) { (options, arguments) throws(RenditionError) in
            let name = try arguments.text(0)
            let isEncoded = arguments.isOmitted(1) ? false : try arguments.flag(1)
            guard let name = isEncoded ? name.base64Decoded : name.percentDecoded, name.isFieldContent else {
                throw arguments.error("it cannot be decoded")
            }
            options.fileName = name
        },
        OptionRow("return_attachment", "att", takes: 1) { (options, arguments) throws(RenditionError) in
            options.isAttachment = try arguments.flag(0)
        },
        OptionRow("tag", takes: tagLimit) { (options, arguments) throws(RenditionError) in
            options.tags = try arguments.isOmitted(0) && arguments.values.count <= 1 ? [] : tags(arguments)
        },
    ]
}

extension OptionTable {
    /// The maximum number of tags in a URL.
    private static let tagLimit = 8
    /// The maximum length of a tag, in bytes.
    private static let tagLength = 64

    private static func tags(_ arguments: OptionArguments) throws(RenditionError) -> [ByteString] {
        var tags: [ByteString] = []
        for index in arguments.values.indices {
            let tag = try arguments.text(index)
            guard tag.count <= tagLength, tag.withBytes({ $0.allSatisfy(\.isUnreserved) }) else {
                throw arguments.error(
                    "\(tag.quoted) is not a tag of at most \(tagLength) letters, digits, \"-\", \".\", \"_\" and \"~\"")
            }
            tags.append(tag)
        }
        return tags
    }
}

extension RenditionOptions {
    fileprivate var qualitiesText: ByteString? {
        let pairs = RenditionFormat.allCases.compactMap { format in
            qualities[format].map { ByteString("\(format.rawValue):\($0)") }
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: ":")
    }

    fileprivate var autoQualityText: ByteString? {
        autoQuality.map { rule in
            let range = "\(rule.qualities.lowerBound):\(rule.qualities.upperBound)"
            return switch rule.goal {
            case .size(let bytes): "size:\(bytes):\(range)"
            case .score(let score): "ssimulacra2:\(score.short):\(range):\(rule.error.short)"
            }
        }
    }

    /// Reads method, target, lowest and highest quality, and the difference that does not matter.
    fileprivate mutating func readAutoQuality(_ arguments: OptionArguments) throws(RenditionError) {
        switch try arguments.text(0) {
        case "none": autoQuality = nil
        case "size":
            let bytes = try arguments.integer(1, in: 1...1 << 40)
            autoQuality = AutoQuality(.size(bytes), qualities: try arguments.qualities(2, usual: 1...80))
        case "ssimulacra2":
            let score = try arguments.number(1, in: 10...95)
            let error = arguments.isOmitted(4) ? 1 : try arguments.number(4, in: 0...20)
            autoQuality = AutoQuality(
                .score(score), qualities: try arguments.qualities(2, usual: 10...95), error: error)
        case let method: throw arguments.error("\(method.quoted) is not one of none, size, ssimulacra2")
        }
    }

    fileprivate var pngText: ByteString? {
        guard png != PNGOptions() else { return nil }
        return "\(png.isInterlaced ? 1 : 0):\(png.isQuantized ? 1 : 0):\(png.colors)"
    }

    fileprivate var unprocessedText: ByteString? {
        let formats = RenditionSourceFormat.allCases.filter(unprocessed.contains)
        return formats.isEmpty ? nil : ByteString(formats.map(\.rawValue).joined(separator: ":"))
    }
}

extension OptionArguments {
    fileprivate func qualities(_ index: Int, usual: ClosedRange<Int>) throws(RenditionError) -> ClosedRange<Int> {
        let least = isOmitted(index) ? nil : try integer(index, in: 1...100)
        let most = isOmitted(index + 1) ? nil : try integer(index + 1, in: 1...100)
        let (lower, upper) = (least ?? min(usual.lowerBound, most ?? 100), most ?? max(usual.upperBound, least ?? 1))
        guard lower <= upper else { throw error("the lowest quality, \(lower), is above the highest, \(upper)") }
        return lower...upper
    }
}
