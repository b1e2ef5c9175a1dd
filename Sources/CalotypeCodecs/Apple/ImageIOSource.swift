#if canImport(ImageIO)
    import CoreGraphics
    import Foundation
    import ImageIO

    /// A file as Image I/O sees it. For one thread at a time.
    struct ImageIOSource {
        private let source: CGImageSource
        private let index: Int
        let format: ImageFormat

        /// Returns `nil` if Image I/O does not know these bytes.
        init?(_ data: Data) {
            let options = coreFoundation([(kCGImageSourceShouldCache, false)])
            guard let source = CGImageSourceCreateWithData(data.coreFoundation, options),
                let type = CGImageSourceGetType(source)
            else { return nil }
            self.source = source
            format = ImageFormat(typeIdentifier: String(coreFoundation: type))
            index = CGImageSourceGetPrimaryImageIndex(source)
        }

        func header() throws(CodecError) -> ImageHeader {
            guard let properties = CGImageSourceCopyPropertiesAtIndex(source, index, nil),
                let width: Int = value(of: kCGImagePropertyPixelWidth, in: properties),
                let height: Int = value(of: kCGImagePropertyPixelHeight, in: properties)
            else { throw CodecError(.damaged, "\(format) is damaged: it does not say how large it is") }
            let orientation: Int = value(of: kCGImagePropertyOrientation, in: properties) ?? 1
            return ImageHeader(
                format: format, width: width, height: height,
                orientation: (1...8).contains(orientation) ? orientation : 1,
                hasAlpha: value(of: kCGImagePropertyHasAlpha, in: properties) ?? false,
                frameCount: format.isAnimated ? max(CGImageSourceGetCount(source), 1) : 1)
        }

        /// The upright picture, its longer side no longer than `side` pixels and never larger than it is stored.
        func picture(longestSide side: Int) throws(CodecError) -> CGImage {
            let options = coreFoundation([
                (kCGImageSourceCreateThumbnailFromImageAlways, true),
                (kCGImageSourceCreateThumbnailWithTransform, true),
                (kCGImageSourceShouldCacheImmediately, true),
                (kCGImageSourceThumbnailMaxPixelSize, side),
            ])
            guard let image = CGImageSourceCreateThumbnailAtIndex(source, index, options),
                CGImageSourceGetStatusAtIndex(source, index) == .statusComplete
            else { throw CodecError(.damaged, "\(format) is damaged: Image I/O cannot decode it") }
            return image
        }
    }

    extension ImageFormat {
        /// From a uniform type identifier, of which the last word will do: "public.heic", "com.compuserve.gif".
        init(typeIdentifier: String) {
            let word = typeIdentifier.split(whereSeparator: { $0 == "." || $0 == "-" }).last.map(String.init)
            self.init(rawValue: word?.lowercased() ?? "unknown")
        }

        /// A Boolean value indicating whether several images in a file are frames, rather than other sizes or other
        /// images.
        fileprivate var isAnimated: Bool { [.gif, .png, .webp, ImageFormat(rawValue: "heics")].contains(self) }
    }
#endif
