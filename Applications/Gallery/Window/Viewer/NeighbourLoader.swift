import Calotype

/// A prefetcher of the shown image's neighbours, which load after all visible images.
@MainActor
final class NeighbourLoader {
    private let prefetcher: Prefetcher
    private var window = NeighbourWindow()
    private var finding: [Int: Task<Void, Never>] = [:]
    private var requests: [Int: ImageRequest] = [:]

    init(_ loader: ImageLoader) {
        prefetcher = Prefetcher(loader: loader)
    }

    deinit { for task in finding.values { task.cancel() } }

    /// Prefetches the images near a position, and cancels the loads that are no longer near it.
    ///
    /// - Parameter find: Returns the request for the image at a position, exactly as the viewer would make it.
    func move(to position: Int, of count: Int, find: @escaping @MainActor (Int) async -> ImageRequest?) {
        let change = window.move(to: position, of: count)
        stop(change.stops)
        for start in change.starts {
            finding[start] = Task { [weak self] in
                guard let request = await find(start), !Task.isCancelled else { return }
                self?.load(request, at: start)
            }
        }
    }

    func leave() { stop(window.leave().stops) }

    private func load(_ request: ImageRequest, at position: Int) {
        finding[position] = nil
        requests[position] = request
        prefetcher.start([request])
    }

    private func stop(_ positions: [Int]) {
        for position in positions {
            finding.removeValue(forKey: position)?.cancel()
            if let request = requests.removeValue(forKey: position) { prefetcher.stop([request]) }
        }
    }
}
