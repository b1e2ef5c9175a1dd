#if canImport(UIKit)
    public import UIKit

    /// The platform's image type: `UIImage` here, `NSImage` on the Mac.
    public typealias UniversalImage = UIImage

    extension Bitmap {
        /// Returns the bitmap as a `UIImage`, decoded and without a copy of its pixels.
        ///
        /// - Parameter scale: Pixels per point. The default is 1.
        public func uiImage(scale: CGFloat = 1) throws(CodecError) -> UIImage {
            UIImage(cgImage: try cgImage(), scale: scale, orientation: .up)
        }

        /// Copies the pixels of an image, turned upright.
        ///
        /// - Throws: `unsupported` for an image without pixels, such as a symbol; `tooLarge` if memory is exhausted.
        public init(uiImage image: UIImage) throws(CodecError) {
            guard let picture = image.cgImage else {
                throw CodecError(.unsupported, "an image without pixels")
            }
            self = try Bitmap(cgImage: picture).oriented(image.imageOrientation.exif)
        }
    }

    extension UIImage.Orientation {
        fileprivate var exif: Int {
            switch self {
            case .up: 1
            case .upMirrored: 2
            case .down: 3
            case .downMirrored: 4
            case .leftMirrored: 5
            case .right: 6
            case .rightMirrored: 7
            case .left: 8
            @unknown default: 1
            }
        }
    }
#endif
