import CalotypeBase
import CalotypeTesting
import Foundation

/// The changes of sources during a soak, and the purges after them.
final class SoakChanges: Sendable {
    struct Purges: Sendable {
        var hard = 0
        var soft = 0
        /// The purges that the server refused or did not answer, such as on a full disk or while it was killed.
        var failed = 0
    }

    private let server: SoakServer
    private let origin: String
    private let sources: SoakSources
    private let purges: Bool
    private let random: Locked<SplitMix>

    /// - Parameter purges: Whether the server takes purges.
    init(_ server: SoakServer, _ origin: String, _ sources: SoakSources, purges: Bool, seed: UInt64) {
        (self.server, self.origin, self.sources, self.purges) = (server, origin, sources, purges)
        random = Locked(SplitMix(seed: seed &+ 1))
    }

    /// Changes a source each second, some of them in a file, and purges every fourth second.
    func run(until end: ContinuousClock.Instant) async throws -> Purges {
        var (done, second) = (Purges(), 0)
        while ContinuousClock.now < end {
            try await Task.sleep(for: .seconds(1))
            second += 1
            let isLocal = second % 8 == 0
            let source = random.withLock { random in
                isLocal
                    ? SoakSources.local.lowerBound + random.number(below: SoakSources.local.count)
                    // Half of the changes concern sources that are requested often.
                    : random.number(below: second % 2 == 0 ? 20 : SoakSources.web.count)
            }
            sources.change(source)
            if isLocal { try sources.write(source, in: "\(server.folder)/photos") }
            if purges, second % 4 == 2 { await purge(source, second / 4, &done) }
        }
        return done
    }

    private func purge(_ source: Int, _ number: Int, _ done: inout Purges) async {
        guard let purger = server.purger else { return }
        let isHard = number % 3 != 0
        let folder = SoakSources.folder(of: source)
        let (subject, versions): (Purger.Subject, [Int: Int]) =
            if number % 30 == 7 {
                (.all, sources.versions())
            } else if number % 5 == 4 {
                (.prefix("\(origin)/img/\(folder)"), sources.versions(inFolder: folder))
            } else {
                (.source(origin + SoakSources.path(of: source)), [source: sources.current(source)])
            }
        do {
            try await purger.purge(subject, isHard: isHard)
            if isHard {
                done.hard += 1
                sources.purged(versions)
            } else {
                done.soft += 1
            }
        } catch {
            done.failed += 1
        }
    }
}
