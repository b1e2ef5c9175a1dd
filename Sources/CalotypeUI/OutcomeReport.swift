import Calotype

/// A filter that passes each outcome of a load once, and none of a view's other states.
///
/// A frame of an animation or a redraw is a new state, but not a new outcome.
@MainActor
final class OutcomeReport {
    private enum Outcome { case success, failure }

    private var last: (task: RemoteImageTask, outcome: Outcome)?

    nonisolated init() {}

    /// Returns the outcome of a state, or `nil` if it was reported already or is still pending.
    func take(_ state: RemoteImageState, of task: RemoteImageTask) -> Result<LoadedImage, ImageError>? {
        switch state {
        case .loading:
            last = nil
            return nil
        case .image(let image): return isNew(.success, task) ? .success(image) : nil
        case .error(let error): return isNew(.failure, task) ? .failure(error) : nil
        }
    }

    private func isNew(_ outcome: Outcome, _ task: RemoteImageTask) -> Bool {
        if let last, last == (task, outcome) { return false }
        last = (task, outcome)
        return true
    }
}
