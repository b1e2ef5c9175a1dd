/// Whether the system's settings allow animations. The views of each toolkit replace the closure.
@MainActor
package enum AnimationPermission {
    package static var isGranted: @MainActor () -> Bool = { true }
}
