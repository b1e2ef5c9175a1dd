import CalotypeBase

// The options of URLs that ask what an image is: imgproxy Pro's, then those that it lacks. Some names are those of other
// options in the URLs of renditions.

extension OptionTable {
    /// All rows, in the order of the canonical text.
    static let info: [OptionRow] = infoFacts + infoPixels + infoDigests + absent + source + shared

    /// The rows that have the same meaning in both kinds of URLs, besides those of the source.
    private static let shared: [OptionRow] = (file + limits + delivery).filter {
        ["cachebuster", "max_src_resolution", "max_src_file_size", "expires", "filename", "return_attachment", "tag"]
            .contains($0.longName)
    }

    /// Returns whether an option of renditions, by any of its names, means the same in a URL that asks what an image is.
    static func isShared(_ name: ByteString) -> Bool {
        guard let row = row(named: name) else { return false }
        return (source + shared).contains { $0.longName == row.longName }
    }

    private static let infoFacts: [OptionRow] = [
        .fact(\.size, "size", "s"),
        .fact(\.format, "format", "f"),
        .fact(\.dimensions, "dimensions", "d"),
        OptionRow("exif", takes: 2, write: { OptionRow.flagText($0.info, \.exif) }) {
            (options, arguments) throws(RenditionError) in
            options.info?.exif = try arguments.flag(0)
            guard try !arguments.flag(1) else { throw arguments.error("the server has no canonical names") }
        },
        .fact(\.place, "gps"),
        .fact(\.frames, "pages_number", "pn"),
        OptionRow("alpha", "a", takes: 2, write: { OptionRow.flagText($0.info, \.alpha) }) {
            (options, arguments) throws(RenditionError) in
            options.info?.alpha = try arguments.flag(0)
            guard try !arguments.flag(1) else { throw arguments.error("the server looks for no transparent pixels") }
        },
        .fact(\.duration, "duration", "du"),
        .fact(\.bits, "bits", "bi"),
        .fact(\.coding, "coding", "cod"),
        .fact(\.profile, "profile", "prof"),
        .fact(\.hdr, "hdr"),
        .fact(\.credentials, "c2pa"),
        .fact(\.damage, "damaged", "dmg"),
    ]

    private static let infoPixels: [OptionRow] = [
        OptionRow("palette", "p", takes: 1, write: { $0.info.flatMap { $0.palette > 0 ? "\($0.palette)" : nil } }) {
            (options, arguments) throws(RenditionError) in
            let colors = try arguments.integer(0, in: 0...256)
            guard colors != 1 else { throw arguments.error("1 is not 0, or from 2 to 256") }
            options.info?.palette = colors
        },
        OptionRow("average", "avg", takes: 2, write: { $0.info?.averageText }) {
            (options, arguments) throws(RenditionError) in
            let isAsked = try arguments.flag(0), ignores = arguments.isOmitted(1) ? true : try arguments.flag(1)
            options.info?.average = isAsked ? InfoOptions.Average(ignoresTransparent: ignores) : nil
        },
        OptionRow("dominant_colors", "dc", takes: 2, write: { $0.info?.dominantText }) {
            (options, arguments) throws(RenditionError) in
            let isAsked = try arguments.flag(0), builds = try arguments.flag(1)
            options.info?.dominantColors = isAsked ? InfoOptions.DominantColors(buildsMissing: builds) : nil
        },
        OptionRow("blurhash", "bh", takes: 2, write: { $0.info?.blurHash.map { "\($0.across):\($0.down)" } }) {
            (options, arguments) throws(RenditionError) in
            let across = try arguments.integer(0, in: 0...9), down = try arguments.integer(1, in: 0...9)
            let isAsked = across > 0 && down > 0
            options.info?.blurHash = isAsked ? InfoOptions.Components(across: across, down: down) : nil
        },
        .fact(\.thumbHash, "thumb_hash", "thumbhash", "th"),
    ]

    private static let infoDigests: [OptionRow] = [
        OptionRow("calc_hashsums", "chs", write: { $0.info?.digestsText }) {
            (options, arguments) throws(RenditionError) in
            var kinds: Set<SourceDigest> = []
            for name in arguments.values where !name.isEmpty {
                guard let kind = SourceDigest(rawValue: name.string) else {
                    let names = SourceDigest.allCases.map(\.rawValue).joined(separator: ", ")
                    throw arguments.error("\(name.quoted) is not one of \(names)")
                }
                kinds.insert(kind)
            }
            options.info?.digests = kinds
        }
    ]

    /// Options of imgproxy Pro for facts that the server does not read: a URL may turn them off.
    private static let absent: [OptionRow] = [
        .absent("the server reads no IPTC", "iptc"),
        .absent("the server reads no XMP", "xmp"),
        .absent("the server reads no videos", "video_meta", "vm"),
        .absent("the server finds no objects", "detect_objects", "do"),
        .absent("the server names no color models; profile has the color space", "colorspace", "cs"),
        .absent("the server counts no bands", "bands", "b"),
        .absent("the server names no sample format; bits has the size of a sample", "sample_format", "sf"),
        .absent("the server computes no such hash", "perceptual_hash", "phash", "ph"),
        OptionRow("page", "pg", takes: 1) { (_, arguments) throws(RenditionError) in
            guard try arguments.text(0).asDigits == 0 else {
                throw arguments.error("the server describes the first page alone, which is 0")
            }
        },
    ]
}

extension OptionRow {
    typealias InfoPath<Value> = any (WritableKeyPath<InfoOptions, Value> & Sendable)

    /// Returns the row of a fact, which is on or off.
    fileprivate static func fact(_ path: InfoPath<Bool>, _ names: ByteString...) -> OptionRow {
        OptionRow(names: names, takes: 1, write: { flagText($0.info, path) }) {
            (options, arguments) throws(RenditionError) in
            options.info?[keyPath: path] = try arguments.flag(0)
        }
    }

    /// Returns the argument for a flag that differs from its default; otherwise `nil`.
    fileprivate static func flagText(_ info: InfoOptions?, _ path: InfoPath<Bool>) -> ByteString? {
        guard let isOn = info?[keyPath: path], isOn != InfoOptions()[keyPath: path] else { return nil }
        return isOn ? "1" : "0"
    }

    /// Returns the row of a flag that may only be off.
    fileprivate static func absent(_ problem: String, _ names: ByteString...) -> OptionRow {
        OptionRow(names: names, takes: 1, write: { _ in nil }) { (_, arguments) throws(RenditionError) in
            guard try !arguments.flag(0) else { throw arguments.error(problem) }
        }
    }
}

extension InfoOptions {
    fileprivate var averageText: ByteString? { average.map { $0.ignoresTransparent ? "1" : "1:0" } }

    fileprivate var dominantText: ByteString? { dominantColors.map { $0.buildsMissing ? "1:1" : "1" } }

    fileprivate var digestsText: ByteString? {
        digests.isEmpty
            ? nil : ByteString(SourceDigest.allCases.filter(digests.contains).map(\.rawValue).joined(separator: ":"))
    }
}
