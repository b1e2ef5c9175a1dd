/// An entry in the library's list of decoders. The program selects it by a file's signature, and a worker selects it by
/// the number in a request.
package struct StandardDecoder: Sendable {
    /// The number of the decoder in messages.
    package let number: UInt32
    package let decoder: any ImageDecoder
    /// The formats that the decoder's `header(of:)` may return.
    let formats: [ImageFormat]
    /// Whether the decoder runs in a worker by default, because its C libraries are less well tested.
    var isRisky = false
    /// Whether Swift reads the header, so that no C code sees the file before the decode.
    var readsHeaderInSwift = false
    /// Whether the libraries start threads while they decode: libde265 decodes in one, pango selects fonts in others.
    var startsThreads = false
    /// The maximum time for an image, or `nil` for the time limit of the workers.
    var deadline: Duration?
    /// Whether files are instructions for drawing: they may take any time, and share half of the workers.
    var drawsVectors = false
    /// Whether the decoder is in `calotype-decoder-formats`, because this build has no library for the formats.
    var isSeparate: Bool { decoder is SeparateDecoder || decoder is SeparateJPEGXLDecoder }
    /// Returns whether a file may be of one of the formats.
    let recognizes: @Sendable (ByteReader) -> Bool
}

extension StandardDecoder {
    /// Creates the entry of a decoder for tests, whose files begin with a fixed text.
    package init(
        number: UInt32, decoder: any ImageDecoder, formats: [ImageFormat], files beginning: StaticString,
        readsHeaderInSwift: Bool, drawsVectors: Bool = false
    ) {
        self.init(
            number: number, decoder: decoder, formats: formats, readsHeaderInSwift: readsHeaderInSwift,
            drawsVectors: drawsVectors
        ) { $0.has(beginning, at: 0) }
    }

    /// The decoders as `DecoderRegistry.standard` registers them: those of this build and, where `calotype-decoder-formats` is
    /// installed, of the formats that it adds.
    static let all = list(with: traits(orElse: WorkerProgram.formats.isInstalled ? separate : []))

    /// The decoders of this build, which its `calotype-decoder` has.
    static let built = list(with: traits)

    /// Returns the decoders of this build's traits, and those of other formats.
    static func traits(orElse separate: [StandardDecoder]) -> [StandardDecoder] {
        guard !separate.isEmpty else { return traits }
        return separate.map { other in traits.first { $0.number == other.number } ?? other }
    }

    /// Returns a list of which the last decoder is tried first. Those that detect formats heuristically come first, and so are
    /// tried last.
    static func list(with more: [StandardDecoder]) -> [StandardDecoder] {
        [
            StandardDecoder(
                number: 10, decoder: RowFileDecoder(), formats: RowFileKind.allCases.map(\.format)
            ) { RowFileKind($0) != nil }
        ] + more + [
            StandardDecoder(number: 5, decoder: QOIDecoder(), formats: [.qoi], readsHeaderInSwift: true) {
                $0.has("qoif", at: 0)
            },
            StandardDecoder(number: 4, decoder: GIFDecoder(), formats: [.gif], readsHeaderInSwift: true) {
                $0.has("GIF8", at: 0)
            },
            StandardDecoder(number: 3, decoder: AVIFDecoder(), formats: [.avif]) { $0.hasBrand(["avif", "avis"]) },
            StandardDecoder(number: 2, decoder: WebPDecoder(), formats: [.webp]) {
                $0.has("RIFF", at: 0) && $0.has("WEBP", at: 8)
            },
            StandardDecoder(number: 1, decoder: PNGDecoder(), formats: [.png]) { $0.isPNG },
            StandardDecoder(number: 0, decoder: JPEGDecoder(), formats: [.jpeg], readsHeaderInSwift: true) {
                $0.uint16(at: 0) == 0xFFD8
            },
        ]
    }

    /// Returns the entry whose decoder has the same type as `decoder`, or `nil` if the decoder is not this package's.
    static func of(_ decoder: any ImageDecoder) -> StandardDecoder? {
        built.first { type(of: $0.decoder) == type(of: decoder) }
    }
}
