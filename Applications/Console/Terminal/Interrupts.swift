import CalotypeBase
import Dispatch
import Foundation

/// A handler of Ctrl-C and the other signals that ask the process to stop.
///
/// A service without a terminal takes SIGHUP for itself: see ``Hangups``. Otherwise the first signal cancels the work, which ends in order and removes its temporary files. The second one removes them
/// and ends the process at once.
package final class Interrupts: Sendable {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    private let received = Locked<Int32?>(nil)
    private let hangups: Hangups
    private let onFirst: @Sendable () -> Void
    private let onSecond: @Sendable () -> Void

    package init(
        hangups: Hangups, onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable () -> Void
    ) {
        self.hangups = hangups
        self.onFirst = onFirst
        self.onSecond = onSecond
    }

    /// Starts to listen, and returns once no signal can be missed. Ignored signals, as under `nohup`, stay ignored.
    package func listen() async {
        let queue = DispatchQueue(label: "calotype.interrupts")
        for number in Interrupts.signals where !Interrupts.isIgnored(number) {
            // A dispatch source receives a signal only if its default action is off.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            // The handler retains the source, and so keeps it active.
            source.setEventHandler { [self] in
                withExtendedLifetime(source) { take(number) }
            }
            await withCheckedContinuation { continuation in
                source.setRegistrationHandler { continuation.resume() }
                source.resume()
            }
        }
    }

    /// Keeps signals from ending a service that other servers have for their logs: logrotate sends them.
    package static func ignoreUserSignals() {
        for number in [SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
    }

    private func take(_ number: Int32) {
        if number == SIGHUP, hangups.take() { return }
        let isFirst = received.withLock { earlier in
            defer { earlier = earlier ?? number }
            return earlier == nil
        }
        if isFirst { return onFirst() }
        onSecond()
        _exit(128 + number)
    }

    /// 128 plus the number of the first signal, by the shells' convention; `nil` without a signal.
    package var status: ExitStatus? { received.withLock { $0 }.map { ExitStatus(rawValue: 128 + $0) } }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
