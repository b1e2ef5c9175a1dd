@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import FoundationNetworking

open class UIImage: NSObject, @unchecked Sendable {
    public enum Orientation: Int, Sendable {
        case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
    }

    public init(cgImage: CGImage, scale: CGFloat, orientation: UIImage.Orientation) {}
    public var cgImage: CGImage? { nil }
    public var imageOrientation: UIImage.Orientation { .up }
}

// Not isolated, because its values never change.
open class UITraitCollection: NSObject, @unchecked Sendable {
    open var displayScale: CGFloat { 1 }
}

// As imported from Objective-C: off the main actor, inherited members cause a warning, not an error.
@preconcurrency @MainActor
open class UIView: NSObject {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var flexibleLeftMargin: AutoresizingMask { AutoresizingMask(rawValue: 1) }
        public static var flexibleRightMargin: AutoresizingMask { AutoresizingMask(rawValue: 4) }
        public static var flexibleTopMargin: AutoresizingMask { AutoresizingMask(rawValue: 8) }
        public static var flexibleBottomMargin: AutoresizingMask { AutoresizingMask(rawValue: 32) }
    }

    public struct AnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var transitionCrossDissolve: AnimationOptions { AnimationOptions(rawValue: 5 << 20) }
        public static var allowUserInteraction: AnimationOptions { AnimationOptions(rawValue: 1 << 1) }
    }

    public enum ContentMode: Int, Sendable {
        case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center
    }

    public init(frame: CGRect) { fatalError() }
    public required init?(coder: NSCoder) { fatalError() }
    open var contentMode = UIView.ContentMode.scaleToFill
    open var superview: UIView? { nil }
    open func layoutIfNeeded() {}
    open var bounds = CGRect()
    open var center = CGPoint()
    open var autoresizingMask: UIView.AutoresizingMask = []
    open var window: UIWindow? { nil }
    open var traitCollection: UITraitCollection { fatalError() }
    open func addSubview(_ view: UIView) {}
    open func removeFromSuperview() {}
    open class func transition(
        with view: UIView, duration: TimeInterval, options: UIView.AnimationOptions = [], animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {}
}

open class UIWindow: UIView {}

open class UIImageView: UIView {
    open var image: UIImage?
}

open class UIActivityIndicatorView: UIView {
    public enum Style: Int, Sendable {
        case medium = 100
        case large = 101
    }
    public init(style: UIActivityIndicatorView.Style) { fatalError() }
    public required init(coder: NSCoder) { fatalError() }
    open func startAnimating() {}
}

public enum UIAccessibility {
    @MainActor public static var isReduceMotionEnabled: Bool { false }
}
