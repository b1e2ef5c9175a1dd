/// A model that is created on first use.
///
/// SwiftUI evaluates the initial value of a view's state at each redraw of the parent, and keeps only the first. A
/// model is too expensive to create and discard.
@MainActor
final class LazyModel {
    private var model: ImageModel?

    nonisolated init() {}

    func get(_ make: () -> ImageModel) -> ImageModel {
        if let model { return model }
        let new = make()
        model = new
        return new
    }
}
