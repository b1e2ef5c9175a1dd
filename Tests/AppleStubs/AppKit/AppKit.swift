@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import FoundationNetworking
public import QuartzCore

open class NSGraphicsContext: NSObject {}

open class NSImageRep: NSObject {
    public struct HintKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

open class NSImage: NSObject {
    public init(cgImage: CGImage, size: NSSize) {}
    open func cgImage(
        forProposedRect proposedDestRect: UnsafeMutablePointer<NSRect>?, context referenceContext: NSGraphicsContext?,
        hints: [NSImageRep.HintKey: Any]?
    ) -> CGImage? { nil }
}

// As imported from Objective-C: off the main actor, inherited members cause a warning, not an error.
@preconcurrency @MainActor
open class NSResponder: NSObject {}

@preconcurrency @MainActor
open class NSView: NSResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var minXMargin: AutoresizingMask { AutoresizingMask(rawValue: 1) }
        public static var maxXMargin: AutoresizingMask { AutoresizingMask(rawValue: 4) }
        public static var minYMargin: AutoresizingMask { AutoresizingMask(rawValue: 8) }
        public static var maxYMargin: AutoresizingMask { AutoresizingMask(rawValue: 32) }
    }

    public init(frame frameRect: NSRect) { fatalError() }
    public required init?(coder: NSCoder) { fatalError() }
    open var superview: NSView? { nil }
    open func layoutSubtreeIfNeeded() {}
    open var bounds = NSRect()
    open var layer: CALayer?
    open var autoresizingMask: NSView.AutoresizingMask = []
    open var window: NSWindow? { nil }
    open func addSubview(_ view: NSView) {}
    open func removeFromSuperview() {}
    open func prepareForReuse() {}
}

@preconcurrency @MainActor
open class NSWindow: NSResponder {
    open var backingScaleFactor: CGFloat { 1 }
}

@preconcurrency @MainActor
open class NSScreen: NSObject {
    open class var main: NSScreen? { nil }
    open var backingScaleFactor: CGFloat { 1 }
}

open class NSControl: NSView {
    public enum ControlSize: UInt, Sendable {
        case regular, small, mini, large
    }
}

public enum NSImageScaling: UInt, Sendable {
    case scaleProportionallyDown, scaleAxesIndependently, scaleNone, scaleProportionallyUpOrDown
}

open class NSImageView: NSControl {
    open var imageScaling = NSImageScaling.scaleProportionallyDown
    open var image: NSImage?
}

open class NSProgressIndicator: NSView {
    public enum Style: UInt, Sendable {
        case bar, spinning
    }
    open var style = NSProgressIndicator.Style.bar
    open var controlSize = NSControl.ControlSize.regular
    open func startAnimation(_ sender: Any?) {}
}

@preconcurrency @MainActor
open class NSWorkspace: NSObject {
    open class var shared: NSWorkspace { NSWorkspace() }
    open var accessibilityDisplayShouldReduceMotion: Bool { false }
}
