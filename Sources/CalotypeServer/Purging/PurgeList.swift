package import CalotypeBase
package import CalotypeHTTPCache
import CalotypeURLs

/// The purges in force, in memory, and their judgement of a cache's keys.
///
/// A lookup takes the time of a few table lookups, one for each segment of the path, whatever the number of purges.
package final class PurgeList: Purges {
    private struct Tables {
        var lines: [PurgeLine] = []
        var sources: [ByteString: PurgeMoments] = [:]
        var prefixes: [ByteString: PurgeMoments] = [:]
        /// The purges of all sources.
        var all = PurgeMoments.none
        /// All purges together, for keys whose sources cannot be read.
        var any = PurgeMoments.none

        mutating func add(_ line: PurgeLine) {
            lines.append(line)
            any.add(line.moments)
            switch line.target.kind {
            case .source: sources[line.target.name, default: .none].add(line.moments)
            case .prefix: prefixes[line.target.name, default: .none].add(line.moments)
            case .all: all.add(line.moments)
            }
        }

        func moments(of source: SourceName) -> PurgeMoments {
            var moments = sources[source.text] ?? .none
            guard !prefixes.isEmpty else { return moments }
            for prefix in source.coveringPrefixes {
                if let found = prefixes[prefix] { moments.add(found) }
            }
            return moments
        }
    }

    private let tables = Locked(Tables())
    private let changes = AtomicInteger(0)
    private let count = AtomicInteger(0)

    package init() {}

    package var generation: Int { changes.load() }

    var lines: [PurgeLine] { tables.withLock { $0.lines } }

    package func moments(of key: ByteString) -> PurgeMoments {
        guard count.load() > 0 else { return .none }
        return moments(of: PurgedKey(key).sources)
    }

    func moments(of source: SourceName) -> PurgeMoments { count.load() > 0 ? moments(of: [source]) : .none }

    private func moments(of sources: [SourceName]?) -> PurgeMoments {
        tables.withLock { tables in
            guard let sources else { return tables.any }
            var moments = tables.all
            for source in sources { moments.add(tables.moments(of: source)) }
            return moments
        }
    }

    func add(_ lines: [PurgeLine]) {
        guard !lines.isEmpty else { return }
        change { tables in for line in lines { tables.add(line) } }
    }

    func remove(_ gone: Set<PurgeLine>) {
        change { tables in
            let kept = tables.lines.filter { !gone.contains($0) }
            tables = Tables()
            for line in kept { tables.add(line) }
        }
    }

    private func change(_ body: (inout Tables) -> Void) {
        tables.withLock { tables in
            body(&tables)
            count.store(tables.lines.count)
        }
        // Last, so that no caller takes a judgement by the former purges for one by the new ones.
        _ = changes.add(1)
    }
}
