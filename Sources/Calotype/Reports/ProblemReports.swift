import CalotypeBase
import CalotypeCodecs
import CalotypeHTTPCache
import CalotypeStore

/// Reports a loader's problems to `ImageLoaderOptions.onProblem`: each at most once a minute, cancellations never.
final class ProblemReports: Sendable {
    private static let pause = Duration.seconds(60)
    private static let limit = 64

    private let deliver: (@Sendable (LoaderProblem) -> Void)?
    private let stopwatch: Stopwatch
    /// The time at which each message was last delivered.
    private let latest = Locked([String: Duration]())

    init(_ options: ImageLoaderOptions) {
        deliver = options.onProblem
        stopwatch = Stopwatch(options.clock)
    }

    func report(_ message: String, _ error: (any Error)?) {
        guard let deliver, error?.isCancellation != true, isNews(message) else { return }
        deliver(LoaderProblem(message: message.withoutUserInfo, underlying: error))
    }

    private func isNews(_ message: String) -> Bool {
        let now = stopwatch.elapsed()
        return latest.withLock { latest in
            if let last = latest[message], now - last < ProblemReports.pause { return false }
            if latest.count >= ProblemReports.limit { latest = latest.filter { now - $0.value < ProblemReports.pause } }
            // After more than 64 messages in a minute, forget all of them: some may then be repeated too early.
            if latest.count >= ProblemReports.limit { latest = [:] }
            latest[message] = now
            return true
        }
    }
}

extension Error {
    fileprivate var isCancellation: Bool {
        switch self {
        case let error as StoreError: error.code == .cancelled
        case let error as CodecError: error.code == .cancelled
        case let error as ImageError: error.code == .cancelled
        case let error as Interruption: error == .cancelled
        default: self is CancellationError
        }
    }
}
