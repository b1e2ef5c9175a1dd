import CalotypeBase
import CalotypeHTTP
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request in flight in a `URLSession`: the state shared by the session's queue and the task that sent it. A pause
/// suspends the session's task. On Linux, which does not support that, bytes accumulate up to `unreadLimit`.
final class SessionExchange: WireExchange {
    /// The number of unread bytes above which the task is suspended.
    private static let bodyBuffer = 256 << 10
    /// The number of unread bytes above which the task is cancelled, on platforms that cannot suspend it.
    private static let unreadLimit = HTTPBody.standardLimit

    let task: URLSessionDataTask
    private let total: Duration?
    private let began = ContinuousClock.now
    private let pace: Locked<PaceClock>?
    let state = Locked(ExchangeState())
    private let watch = Locked(Task<Void, Never>?.none)

    init(_ task: URLSessionDataTask, _ timeouts: HTTPRequest.Timeouts) {
        self.task = task
        total = timeouts.total
        pace = timeouts.pace.map { Locked(PaceClock($0, now: 0)) }
    }

    deinit { watch.withLock { $0 }?.cancel() }

    // MARK: The task's side

    func start() {
        if total != nil || pace != nil { startWatch() }
        task.resume()
    }

    func resume() {
        pace?.withLock { $0.resumed(at: now) }
        task.resume()
    }

    func close(isRunning: Bool) {
        if isRunning { task.cancel() }
    }

    // MARK: The session's side

    func take(_ head: ResponseHead) { tell(ExchangeState.News(head: head)) }

    func take(_ bytes: Data) { tell(ExchangeState.News(bytes: bytes)) }

    func end(_ error: (any Error)?) {
        let end = error.map { ExchangeState.End.failed(TransportError(session: $0, host: host)) } ?? .complete
        tell(ExchangeState.News(end: end))
        watch.withLock { $0 }?.cancel()
    }

    private var host: String { task.originalRequest?.url?.host ?? "the server" }

    private func tell(_ news: ExchangeState.News) {
        let delivery = state.withLock { state in
            var news = news
            // During a pause, bytes that the session had read before it still arrive.
            let isFull = state.unreadBytes + news.bytes.count > Self.bodyBuffer
            news.isPaused = URLSession.canPause && (state.isPaused || isFull)
            // Once per pause, because suspensions add up; under the lock, so that no reader resumes the task first.
            if news.isPaused && !state.isPaused { task.suspend() }
            pace?.withLock { pace in
                pace.noteReceived(news.bytes.count)
                if news.isPaused { pace.paused(at: now) }
            }
            return state.take(news)
        }
        if let (waiter, answer) = delivery.answer { waiter.resume(returning: answer) }
        if let (reader, chunk) = delivery.chunk { reader.resume(returning: chunk) }
        if delivery.resumesTransfer { resume() }
        guard delivery.unreadBytes > Self.unreadLimit else { return }
        end(TransportError(.bodyTooLarge, "more than \(Self.unreadLimit) bytes arrived without being read"))
        task.cancel()
    }

    /// The time since the start, in nanoseconds.
    private var now: UInt64 { (ContinuousClock.now - began).nanoseconds }

    /// Starts to watch the total and pace timeouts. The session's own resource timeout is the same for all its tasks.
    private func startWatch() {
        let watching = Task.detached { [weak self] in
            while let rest = self?.timeLeft, rest > .zero {
                guard (try? await Task.sleep(for: rest)) != nil else { return }
            }
            self?.endOverdue()
        }
        watch.withLock { $0 = watching }
    }

    /// The time until the next check for a timeout. At most 1 s, because pauses and received bytes postpone a timeout.
    private var timeLeft: Duration {
        let now = now
        let total = total.map { $0 - .nanoseconds(Int64(clamping: now)) } ?? .seconds(1)
        let deadline = pace?.withLock { $0.deadline } ?? .max
        return min(total, .nanoseconds(Int64(clamping: deadline - min(deadline, now))), .seconds(1))
    }

    private func endOverdue() {
        let error = pace?.withLock { $0.timeout(at: now, host: host) }
        let late = TransportError(.timedOut, "the exchange did not finish within \(total ?? .zero)")
        end(error ?? late)
        task.cancel()
    }
}

extension TransportError {
    init(session error: any Error, host: String) {
        if let error = error as? TransportError {
            self = error
            return
        }
        if let error = error as? URLError, error.isConstrained {
            self.init(.networkConstrained, "the network is in Low Data Mode", underlying: error)
            return
        }
        let (code, message): (Code, String) =
            switch (error as? URLError)?.code {
            case .cancelled: (.cancelled, "cancelled")
            case .timedOut: (.timedOut, "no data from \(host) in time")
            case .cannotFindHost, .dnsLookupFailed: (.cannotFindHost, "the host \(host) cannot be found")
            case .cannotConnectToHost, .notConnectedToInternet: (.cannotConnect, "no connection to \(host)")
            case .networkConnectionLost: (.connectionLost, "the connection to \(host) was lost")
            // Foundation's error on Linux for a connection closed without a response.
            case .badServerResponse where ByteString(error.localizedDescription).contains("Empty reply"):
                (.connectionLost, "\(host) closed the connection without a response")
            case .badURL: (.malformedURL, "the URL is malformed")
            case .unsupportedURL: (.unsupportedScheme, "the URL's scheme is not supported")
            case .badServerResponse, .cannotParseResponse: (.malformedResponse, "\(host) does not speak HTTP")
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
                (.tlsFailed, "no secure connection to \(host)")
            case .appTransportSecurityRequiresSecureConnection:
                (
                    .insecureConnectionRefused,
                    "the system refuses plain http to \(host): use https, or name it in NSAppTransportSecurity of Info.plist"
                )
            default: (.other, "\(host): \(error.localizedDescription)")
            }
        self.init(code, message, underlying: error)
    }
}

extension URLError {
    fileprivate var isConstrained: Bool {
        #if canImport(FoundationNetworking)
            false
        #else
            networkUnavailableReason == .constrained
        #endif
    }
}
