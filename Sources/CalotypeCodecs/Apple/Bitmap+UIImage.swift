#if canImport(UIKit)
    public import UIKit

    /// The image type of the toolkit at hand: UIKit's here, AppKit's on the Mac.
    public typealias UniversalImage = UIImage

    extension Bitmap {
        /// The image for UIKit, decoded already and without a copy of its pixels.
        ///
        /// - Parameter scale: pixels for each point. 1 by default.
        public func uiImage(scale: CGFloat = 1) throws(CodecError) -> UIImage {
            UIImage(cgImage: try cgImage(), scale: scale, orientation: .up)
        }

        /// The pixels of an image that has some, upright.
        ///
        /// - Throws: `unsupported` for an image that only knows how to draw itself, such as a symbol.
        public init(uiImage image: UIImage) throws(CodecError) {
            guard let picture = image.cgImage else {
                throw CodecError(.unsupported, "an image without pixels")
            }
            self = try Bitmap(cgImage: picture).oriented(image.imageOrientation.exif)
        }
    }

    extension UIImage.Orientation {
        /// As EXIF counts.
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
