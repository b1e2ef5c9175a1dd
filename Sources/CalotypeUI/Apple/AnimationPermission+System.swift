#if canImport(UIKit)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

extension AnimationPermission {
    /// Allows animations from now on unless the system's settings reduce motion.
    static func followSystem() {
        #if canImport(UIKit)
            isGranted = { !UIAccessibility.isReduceMotionEnabled }
        #elseif canImport(AppKit)
            isGranted = { !NSWorkspace.shared.accessibilityDisplayShouldReduceMotion }
        #endif
    }
}
