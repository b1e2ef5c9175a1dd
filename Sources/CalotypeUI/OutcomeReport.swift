import Calotype

/// A filter that reports each outcome of a load once. Frames of an animation and redraws are not new outcomes.
@MainActor
final class OutcomeReport {
    private var last: (task: RemoteImageTask, isSuccess: Bool)?

    nonisolated init() {}

    /// Returns the outcome of a state, or `nil` if it was reported already or is still pending.
    func take(_ state: RemoteImageState, of task: RemoteImageTask) -> Result<LoadedImage, ImageError>? {
        let previous = last
        last = state.isLoading ? nil : (task, state.error == nil)
        if let previous, let last, previous == last { return nil }
        return switch state {
        case .loading: nil
        case .image(let image): .success(image)
        case .error(let error): .failure(error)
        }
    }
}
