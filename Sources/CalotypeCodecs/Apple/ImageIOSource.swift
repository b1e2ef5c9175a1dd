#if canImport(ImageIO)
    import CoreFoundation
    import CoreGraphics
    import Foundation
    import ImageIO

    /// An Image I/O source for a file. Use it on one thread at a time.
    struct ImageIOSource {
        private let source: CGImageSource
        private let index: Int
        let format: ImageFormat

        /// Returns `nil` if Image I/O does not recognize the bytes.
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

        /// Returns the upright image, its longer side reduced to `side` pixels if it is longer.
        func image(longestSide side: Int) throws(CodecError) -> CGImage {
            let options = coreFoundation([
                (kCGImageSourceCreateThumbnailFromImageAlways, true),
                (kCGImageSourceCreateThumbnailWithTransform, true),
                (kCGImageSourceShouldCacheImmediately, true),
                (kCGImageSourceThumbnailMaxPixelSize, side),
            ])
            guard let image = CGImageSourceCreateThumbnailAtIndex(source, index, options), isWhole(index) else {
                throw CodecError(.damaged, "\(format) is damaged: Image I/O cannot decode it")
            }
            return image
        }

        /// Returns whether Image I/O considers the image complete. It reports `complete` reliably for JPEG, PNG and GIF
        /// only; other formats are accepted unless it reports damage.
        private func isWhole(_ index: Int) -> Bool {
            let status = CGImageSourceGetStatusAtIndex(source, index)
            if [.jpeg, .png, .gif].contains(format) { return status == .statusComplete }
            return status != .statusInvalidData && status != .statusUnexpectedEOF
        }
    }

    // MARK: Frames

    extension ImageIOSource {
        /// The keys of the frame timing in a format's properties.
        struct TimingKeys {
            let dictionary, unclampedDelay, delay, loopCount: CFString
        }

        var timingKeys: TimingKeys? {
            switch format {
            case .gif:
                TimingKeys(
                    dictionary: kCGImagePropertyGIFDictionary, unclampedDelay: kCGImagePropertyGIFUnclampedDelayTime,
                    delay: kCGImagePropertyGIFDelayTime, loopCount: kCGImagePropertyGIFLoopCount)
            case .png:
                TimingKeys(
                    dictionary: kCGImagePropertyPNGDictionary, unclampedDelay: kCGImagePropertyAPNGUnclampedDelayTime,
                    delay: kCGImagePropertyAPNGDelayTime, loopCount: kCGImagePropertyAPNGLoopCount)
            case .webp:
                TimingKeys(
                    dictionary: kCGImagePropertyWebPDictionary, unclampedDelay: kCGImagePropertyWebPUnclampedDelayTime,
                    delay: kCGImagePropertyWebPDelayTime, loopCount: kCGImagePropertyWebPLoopCount)
            case ImageFormat(rawValue: "heics"):
                TimingKeys(
                    dictionary: kCGImagePropertyHEICSDictionary,
                    unclampedDelay: kCGImagePropertyHEICSUnclampedDelayTime, delay: kCGImagePropertyHEICSDelayTime,
                    loopCount: kCGImagePropertyHEICSLoopCount)
            default: nil
            }
        }

        var frameCount: Int { CGImageSourceGetCount(source) }

        /// Returns the number of times that the animation plays, or `nil` if it repeats forever.
        func loopCount(_ keys: TimingKeys) -> Int? {
            let timing = CGImageSourceCopyProperties(source, nil).flatMap { dictionary(of: keys.dictionary, in: $0) }
            return FrameTiming.loopCount(told: timing.flatMap { value(of: keys.loopCount, in: $0) })
        }

        func frame(_ number: Int, _ keys: TimingKeys) -> (duration: Duration, hasAlpha: Bool) {
            let properties = CGImageSourceCopyPropertiesAtIndex(source, number, nil)
            let timing = properties.flatMap { dictionary(of: keys.dictionary, in: $0) }
            let unclamped: Double? = timing.flatMap { value(of: keys.unclampedDelay, in: $0) }
            let clamped: Double? = timing.flatMap { value(of: keys.delay, in: $0) }
            let hasAlpha: Bool? = properties.flatMap { value(of: kCGImagePropertyHasAlpha, in: $0) }
            return (FrameTiming.duration(unclamped: unclamped, clamped: clamped), hasAlpha ?? true)
        }

        /// Returns a frame drawn over the earlier frames, without turning it upright.
        func frameImage(_ number: Int) throws(CodecError) -> CGImage {
            let options = coreFoundation([(kCGImageSourceShouldCache, false)])
            guard let image = CGImageSourceCreateImageAtIndex(source, number, options) else {
                throw CodecError(.damaged, "\(format) is damaged: Image I/O cannot decode frame \(number)")
            }
            return image
        }
    }

    extension ImageFormat {
        /// Creates a format from the last component of a uniform type identifier: "public.heic", "com.compuserve.gif". Raw files
        /// have identifiers such as "com.canon.cr2-raw-image".
        init(typeIdentifier: String) {
            if typeIdentifier.utf8.suffix(9).elementsEqual("raw-image".utf8) {
                self = .cameraRaw
                return
            }
            let word = typeIdentifier.split(whereSeparator: { $0 == "." || $0 == "-" }).last.map(String.init)
            self.init(rawValue: word?.lowercased() ?? "unknown")
        }

        /// Whether further images in a file of this format are frames, rather than other sizes or other images.
        fileprivate var isAnimated: Bool { [.gif, .png, .webp, ImageFormat(rawValue: "heics")].contains(self) }
    }
#endif
