/// A model that is created when it is first used.
///
/// SwiftUI evaluates the initial value of a view's state each time that the view's value is made, which is with each redraw of
/// its parent, and keeps the first. A model is too much to make for nothing.
@MainActor
package final class LazyModel {
    private var model: ImageModel?

    package nonisolated init() {}

    package func get(_ make: () -> ImageModel) -> ImageModel {
        if let model { return model }
        let new = make()
        model = new
        return new
    }
}
