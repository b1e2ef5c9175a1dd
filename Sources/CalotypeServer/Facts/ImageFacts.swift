import CalotypeBase
package import CalotypeCodecs
package import CalotypeURLs
package import Foundation

/// The facts about an image that a URL or a command asks for, and their text: one object of JSON.
package struct ImageFacts: Sendable {
    private let options: InfoOptions
    private let byteCount: Int
    package let header: ImageHeader
    /// The facts of the EXIF block; without values unless they are asked for.
    private let photo: PhotoFacts?
    private let place: PhotoPlace?
    /// The name of the color space; `nil` if the file names none, or it is not asked for.
    private let profile: String?
    private let hasGainMap: Bool
    private let hasCredentials: Bool
    private let isDamaged: Bool
    private let digests: [(kind: SourceDigest, text: ByteString?)]
    /// The facts of the pixels. Needed if the options ask for one of them.
    package var colors: ColorFacts?

    /// The maximum number of frames that are counted.
    private static let frameLimit = DecodeLimits().maxFrames

    /// Reads all facts but those of the pixels.
    ///
    /// - Throws: The errors of a header that cannot be read.
    package init(
        of data: Data, _ options: InfoOptions, by decoders: DecoderRegistry
    ) throws(CodecError) {
        (self.options, byteCount) = (options, data.count)
        // Without the need for them, no more than one frame is looked for.
        header = try decoders.header(of: data, frameLimit: options.frames || options.duration ? Self.frameLimit : 1)
        photo = options.exif ? PhotoFacts(of: data) : nil
        place = options.place ? PhotoPlace(of: data) : nil
        profile = options.profile || options.hdr ? decoders.colors(of: data) : nil
        hasGainMap = options.hdr && GainMap.isPresent(in: data)
        hasCredentials = options.credentials && ContentCredentials.arePresent(in: data)
        isDamaged = options.damage && FileDamage.isPresent(in: data)
        digests = SourceDigest.allCases.filter(options.digests.contains).map { ($0, $0.hexadecimal(of: data)) }
    }

    /// The object in UTF-8, on one line, with its members in the order of the options in the document.
    package var json: [UInt8] {
        var writer = FactsWriter()
        addMembers(to: &writer)
        return writer.finished()
    }

    private func addMembers(to writer: inout FactsWriter) {
        if options.size { writer.add("size", byteCount) }
        if options.format { writer.add("format", header.format.rawValue) }
        if options.dimensions {
            writer.add("width", header.uprightSize.width)
            writer.add("height", header.uprightSize.height)
            writer.add("orientation", header.orientation)
        }
        if options.exif { writer.add("exif") { addPhoto(to: &$0) } }
        if options.place { writer.add("place", place.map { place in { place.add(to: &$0) } }) }
        if options.frames { writer.add("pages_number", header.frameCount) }
        if options.alpha { writer.add("alpha", header.hasAlpha) }
        if options.duration { writer.add("duration", header.duration / .seconds(1)) }
        if options.bits { writer.add("bits", header.bitsPerSample) }
        if options.coding {
            writer.add("codec", header.codec)
            writer.add("progressive", header.isProgressive)
        }
        if options.profile { writer.add("profile", profile) }
        if options.hdr { writer.add("hdr", ranges) }
        if options.credentials { writer.add("c2pa", hasCredentials) }
        if options.damage { writer.add("damaged", isDamaged) }
        addColors(to: &writer)
        guard !digests.isEmpty else { return }
        writer.add("hashsums") { writer in
            for digest in digests { writer.add(digest.kind.rawValue, digest.text?.string) }
        }
    }

    /// The ways in which the image has more light than sRGB.
    private var ranges: [String] {
        let curve = profile.flatMap { DynamicRange(colors: $0) }
        return [curve?.rawValue, hasGainMap ? "gain_map" : nil].compactMap(\.self)
    }

    /// Adds what the file names: no member is `null` here.
    private func addPhoto(to writer: inout FactsWriter) {
        if let camera = photo?.camera { writer.add("camera", camera) }
        if let date = photo?.date { writer.add("date", date) }
        if let artist = photo?.artist { writer.add("artist", artist) }
        if let copyright = photo?.copyright { writer.add("copyright", copyright) }
    }

    private func addColors(to writer: inout FactsWriter) {
        guard let colors else { return }
        if options.palette > 0 { writer.add("palette", colors.palette) }
        if let average = colors.average { writer.add("average", average) }
        if let dominant = colors.dominant {
            writer.add("dominant_colors") { writer in
                for kind in DominantColors.Kind.allCases {
                    guard let color = dominant[kind] else { continue }
                    writer.add(kind.rawValue) { $0.add(channelsOf: color, hasAlpha: false) }
                }
            }
        }
        if let hash = colors.blurHash { writer.add("blurhash", hash) }
        if let hash = colors.thumbHash { writer.add("thumb_hash", hash) }
    }
}

extension PhotoPlace {
    fileprivate func add(to writer: inout FactsWriter) {
        writer.add("latitude", latitude)
        writer.add("longitude", longitude)
    }
}
