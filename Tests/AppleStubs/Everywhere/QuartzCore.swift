@_exported public import Foundation

open class CAAnimation: NSObject {
    open var duration: CFTimeInterval = 0
}

public struct CATransitionType: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let fade = CATransitionType(rawValue: "fade")
}

open class CATransition: CAAnimation {
    open var type = CATransitionType.fade
}

open class CALayer: NSObject {
    open func add(_ anim: CAAnimation, forKey key: String?) {}
}

public typealias CFTimeInterval = Double
public let kCATransition = "transition"
