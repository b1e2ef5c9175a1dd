@_exported import CoreGraphics
@_exported import Foundation

open class NSGraphicsContext: NSObject {}

open class NSImage: NSObject {
    public struct HintKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public init(cgImage: CGImage, size: NSSize) {}
    open func cgImage(
        forProposedRect proposedDestRect: UnsafeMutablePointer<NSRect>?, context referenceContext: NSGraphicsContext?,
        hints: [NSImage.HintKey: Any]?
    ) -> CGImage? { nil }
}
