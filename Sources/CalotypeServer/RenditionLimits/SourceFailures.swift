import CalotypeBase
import CalotypeHTTPCache
import CalotypeURLs

/// The failures of sources, remembered for some seconds: for all sizes of a missing, damaged or silent source, its origin
/// is asked once, and its bytes are decoded once.
///
/// Sources on the web are remembered by URL. A local file is looked up each time; its damage is remembered by the digest
/// of its bytes, so that a file that has been mended is seen at once. A purge of any source ends all failures: the origin
/// may have the image by now.
final class SourceFailures: Sendable {
    private struct Failure: Error {
        let error: ServerError
        let since: Double
        /// The generation of the purges when the work began that failed.
        let generation: Int
    }

    private static let limit = 1_024

    private let lifetime: Double
    private let wallClock: WallClock
    private let purges: any Purges
    private let memory = Locked(FailureMemory<ByteString, Failure, Double>(limit: limit))

    /// - Parameter lifetime: The time for which failures are remembered; zero for none.
    init(lifetime: Duration, wallClock: WallClock, purges: any Purges) {
        self.lifetime = lifetime / .seconds(1)
        self.wallClock = wallClock
        self.purges = purges
    }

    /// Throws the remembered failure of a source for a rendition with these options, if there is one.
    ///
    /// - Parameter name: The URL of a source on the web, or the digest of a local file.
    func check(_ name: ByteString, for options: RenditionOptions) throws(ServerError) {
        let now = wallClock.now
        guard let failure = memory.withLock({ $0.failure(for: name, at: now) }) else { return }
        // If the clock has been set back, the end of the failure would be too late.
        guard failure.since <= now, failure.generation == purges.generation else {
            return memory.withLock { $0.forget(name) }
        }
        guard failure.error.fault == .source || options.decodes else { return }
        throw failure.error
    }

    /// Returns the result of `work`, or remembers its failure if it concerns all renditions of the source.
    func noting<Value>(
        _ faults: Set<ServerError.Fault>, of name: ByteString, _ work: () async throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        let generation = purges.generation
        do throws(ServerError) {
            return try await work()
        } catch {
            if let fault = error.fault, faults.contains(fault), lifetime > 0 {
                let failure = Failure(error: error, since: wallClock.now, generation: generation)
                memory.withLock { $0.remember(failure, for: name, until: failure.since + lifetime) }
            }
            throw error
        }
    }
}

extension RenditionOptions {
    /// Whether the rendition is always decoded: it is never the source itself.
    fileprivate var decodes: Bool { !isRaw && unprocessed.isEmpty }
}
