#if SVG
    import Foundation

    /// The intrinsic size of an SVG document, and the estimated time to draw it.
    struct SVGDocument {
        let size: PixelSize
        private let work: SVGWork
        /// The width and height in user units.
        private let units: (width: Double, height: Double)

        init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
            let markup = try SVGMarkup(bytes)
            try Self.checkImages(markup)
            let root = markup.elements[0].attributes
            let box = Self.viewBox(root)
            let shown = Self.shownSize(root, box: box)
            guard shown.width > 0, shown.height > 0 else {
                throw CodecError(.damaged, "SVG without an area: there is nothing to show")
            }
            size = PixelSize(width: 1, height: 1).scaled(toWidth: shown.width, height: shown.height)
            if let box { units = (box[2], box[3]) } else { units = shown }
            var estimate = SVGEstimate(markup)
            work = estimate.work()
            try checkTime(at: PixelSize(width: 1, height: 1))
        }

        private static func viewBox(_ root: [String: String]) -> [Double]? {
            guard let box = root["viewBox"].map({ SVGNumber.all(in: $0) }), box.count == 4, box[2] > 0, box[3] > 0
            else { return nil }
            return box
        }

        /// Returns the intrinsic size, as in browsers: a missing side follows from the other; without both, it is the
        /// size of the view box, or 300 × 150.
        private static func shownSize(_ root: [String: String], box: [Double]?) -> (width: Double, height: Double) {
            let width = root["width"].flatMap { SVGNumber.plain($0) }
            let height = root["height"].flatMap { SVGNumber.plain($0) }
            let ratio: Double = if let box { box[2] / box[3] } else { 2 }
            if let width, let height { return (width, height) }
            if let width { return (width, width / ratio) }
            if let height { return (height * ratio, height) }
            if let box { return (box[2], box[3]) }
            return (300, 150)
        }

        /// Throws if drawing would take too long. librsvg cannot be interrupted.
        func checkTime(at size: PixelSize) throws(CodecError) {
            let scale = max(Double(size.width) / units.width, Double(size.height) / units.height)
            let time = work.time(at: size, scale: scale)
            guard time < Self.timeLimit else {
                throw CodecError(.tooLarge, "SVG is too complex: drawing it would take too long")
            }
        }

        /// The maximum estimated time in nanoseconds.
        private static let timeLimit = 1e9
        private static let imagePixelLimit = 16_000_000

        /// Checks embedded images, which GdkPixbuf decodes at full size: only formats with a known size, and no SVG.
        private static func checkImages(_ markup: SVGMarkup) throws(CodecError) {
            var pixels = 0
            let decoders = DecoderRegistry([GIFDecoder(), PNGDecoder(), JPEGDecoder()])
            for element in markup.elements where element.name == "image" || element.name == "feImage" {
                guard let address = element.attributes["href"]?.drop(while: \.isWhitespace),
                    address.prefix(5).lowercased() == "data:"
                else { continue }
                guard let comma = address.firstIndex(of: ","), address[..<comma].hasSuffix(";base64"),
                    let data = Data(
                        base64Encoded: String(address[address.index(after: comma)...]),
                        options: .ignoreUnknownCharacters)
                else { throw SVGMarkup.hidden("such an image inside") }
                let header = try decoders.header(of: data)
                pixels += header.stored.pixelCount ?? imagePixelLimit + 1
                guard pixels <= imagePixelLimit else {
                    throw CodecError(.tooLarge, "SVG with images of more than \(imagePixelLimit) pixels")
                }
            }
        }
    }

    extension PixelSize {
        fileprivate func scaled(toWidth width: Double, height: Double) -> PixelSize {
            PixelSize(width: Self.pixels(width), height: Self.pixels(height))
        }
    }
#endif
