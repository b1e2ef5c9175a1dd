import CalotypeBase
import Foundation

/// The SIGHUPs that ask a service to read its settings again.
///
/// With a controlling terminal, SIGHUP is the end of that, and ends a service as it ends every other command.
package final class Hangups: Sendable {
    private let hasTerminal: Bool
    private let claim = Locked<AsyncStream<Void>.Continuation?>(nil)

    /// - Parameter hasTerminal: Whether the process has a controlling terminal.
    package init(hasTerminal: Bool = Hangups.hasTerminal) { self.hasTerminal = hasTerminal }

    /// Returns the signals from now on, and ends when the task is cancelled. Those that arrive while one is handled are
    /// one. Empty with a controlling terminal.
    package func claimed() -> AsyncStream<Void> {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        claim.withLock { $0 = continuation }
        return signals
    }

    /// Passes a signal on. Returns `false` if no service has claimed it, so that it ends the process.
    package func take() -> Bool {
        guard !hasTerminal, let continuation = claim.withLock({ $0 }) else { return false }
        continuation.yield()
        return true
    }

    package static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }
}
