@_exported import CoreGraphics
@_exported import Foundation

open class UIImage: NSObject, @unchecked Sendable {
    public enum Orientation: Int, Sendable {
        case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
    }

    public init(cgImage: CGImage, scale: CGFloat, orientation: UIImage.Orientation) {}
    public var cgImage: CGImage? { nil }
    public var imageOrientation: UIImage.Orientation { .up }
}
