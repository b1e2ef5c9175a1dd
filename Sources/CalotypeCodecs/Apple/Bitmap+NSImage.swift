#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit

    /// The platform's image type: `NSImage` here, `UIImage` elsewhere.
    public typealias UniversalImage = NSImage

    extension Bitmap {
        /// Returns the bitmap as an `NSImage`, decoded and without a copy of its pixels.
        ///
        /// - Parameter scale: Pixels per point. The default is 1.
        public func nsImage(scale: CGFloat = 1) throws(CodecError) -> NSImage {
            let image = try cgImage()
            return NSImage(cgImage: image, size: NSSize(width: CGFloat(width) / scale, height: CGFloat(height) / scale))
        }

        /// Draws an image at its pixel size.
        ///
        /// - Throws: `unsupported` for an image that cannot be drawn, `tooLarge` if memory is exhausted.
        public init(nsImage image: NSImage) throws(CodecError) {
            guard let picture = image.cgImage(forProposedRect: nil, context: nil, hints: nil) else {
                throw CodecError(.unsupported, "an image without pixels")
            }
            try self.init(cgImage: picture)
        }
    }
#endif
