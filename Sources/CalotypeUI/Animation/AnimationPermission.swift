/// Whether the system's settings allow animations. Views of each toolkit say where that is written.
@MainActor
package enum AnimationPermission {
    package static var isGranted: @MainActor () -> Bool = { true }
}
