package import Calotype

/// Tells the outcomes of loads from the other states that a view goes through, so that each is reported once.
///
/// A frame of an animation is a new state and no new outcome; so is a redraw.
@MainActor
package final class OutcomeReport {
    private enum Outcome { case success, failure }

    private var last: (task: RemoteImageTask, outcome: Outcome)?

    package nonisolated init() {}

    /// Returns the outcome that a state of a view brings; `nil` if it has been reported, or is still to come.
    package func take(_ state: RemoteImageState, of task: RemoteImageTask) -> Result<LoadedImage, ImageError>? {
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
