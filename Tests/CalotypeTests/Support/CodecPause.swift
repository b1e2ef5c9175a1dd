import Foundation
import Synchronization
import Testing
import Waiting

/// A pause that blocks the thread of a codec until the test ends it.
final class CodecPause: Sendable {
    private let isStopped = Atomic(false)
    private let semaphore = DispatchSemaphore(value: 0)

    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        semaphore.wait()
    }

    func waitUntilStopped() async {
        await waitUntil { isStopped.load(ordering: .sequentiallyConsistent) }
    }

    func goOn() { semaphore.signal() }
}
