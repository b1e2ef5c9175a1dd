#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit

    /// The image type of the toolkit at hand: AppKit's here, UIKit's elsewhere.
    public typealias UniversalImage = NSImage

    extension Bitmap {
        /// The image for AppKit, decoded already and without a copy of its pixels.
        ///
        /// - Parameter scale: pixels for each point. 1 by default.
        public func nsImage(scale: CGFloat = 1) throws(CodecError) -> NSImage {
            let image = try cgImage()
            return NSImage(cgImage: image, size: NSSize(width: CGFloat(width) / scale, height: CGFloat(height) / scale))
        }

        /// The pixels of an image, at its own size.
        ///
        /// - Throws: `unsupported` for an image that cannot be drawn.
        public init(nsImage image: NSImage) throws(CodecError) {
            guard let picture = image.cgImage(forProposedRect: nil, context: nil, hints: nil) else {
                throw CodecError(.unsupported, "an image without pixels")
            }
            try self.init(cgImage: picture)
        }
    }
#endif
