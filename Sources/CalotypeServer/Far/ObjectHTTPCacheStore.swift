import CalotypeBase
import CalotypeHTTPCache
import Foundation

/// The far half of a ``TieredHTTPCacheStore``: pages in an object store that other nodes read and write, too.
final class ObjectHTTPCacheStore: Sendable {
    /// The time after which a use of a result that could not be written has it written again, in seconds.
    static let pause = 600.0

    let store: FarStore
    let options: FarOptions
    let reader: FarReader
    let writer: FarWriter
    let counters: FarCounters
    private let names: FarNames
    private let sources: FarSources
    private let wallClock: WallClock

    init(
        _ store: FarStore, names: FarNames, reader: FarReader, writer: FarWriter, sources: FarSources,
        _ options: FarOptions, counters: FarCounters, _ wallClock: WallClock
    ) {
        (self.store, self.names, self.reader, self.writer, self.sources) = (store, names, reader, writer, sources)
        (self.options, self.counters, self.wallClock) = (options, counters, wallClock)
    }

    func name(of key: ByteString) -> FarName? { names.name(of: key) }

    // MARK: Reading

    /// Returns the result of a key, marked with the time at which it was written, or `nil` if the far store lacks it.
    ///
    /// - Parameters:
    ///   - isUsable: Returns `false` for a page that the purges of other nodes cover.
    ///   - keep: Puts the result into the near store, or returns `false` if purges cover it.
    func variant(
        _ name: FarName, isUsable: @escaping @Sendable (FarPage) -> Bool,
        keep: @escaping @Sendable (StoredVariant) async -> Bool
    ) async -> StoredVariant? {
        let page = await reader.page(name) { [self, sources] page in
            guard isYoung(page), isUsable(page) else { return false }
            // First the source, which a stale result needs.
            await sources.add(page.source, of: name.source)
            return await keep(page.result.marked(page.written))
        }
        guard let page, isYoung(page), isUsable(page) else { return nil }
        return page.result.marked(page.written)
    }

    /// Whether the purges that cover the page are still known. A bucket may delete it later than that.
    private func isYoung(_ page: FarPage) -> Bool { Double(page.written) > wallClock.now - options.age + 3600 }

    // MARK: Writing

    /// Notes that a near store answered with a result. Takes some nanoseconds while nothing is to be written.
    ///
    /// - Parameter write: Called if the result is to be written.
    func noteUse(of variant: StoredVariant, write: () -> Void) {
        guard options.writes != FarOptions.Writes.none else { return }
        let mark = variant.mark
        guard mark > 0 else {
            variant.mark = due(variant) ?? Self.usedOnce
            return
        }
        let now = wallClock.now
        guard mark == Self.usedOnce || now >= Double(mark) else { return }
        variant.mark = Int(now + Self.pause)
        write()
    }

    private static let usedOnce = 1

    /// Returns the time from which a use has the result written, in seconds since 1970; `nil` if it never was.
    private func due(_ variant: StoredVariant) -> Int? {
        guard variant.isFitForPage, variant.head.bodyLength <= FarPage.limit - FarPage.headLimit else { return Int.max }
        // A time ahead of ours was not noted by this node: the result is written again.
        guard let mark = variant.head.fields.farMark, Double(mark) <= wallClock.now + FarReader.lead else { return nil }
        return mark + Int(options.age / 2)
    }

    /// Notes that the near store got a new result.
    ///
    /// - Parameter write: Called if the result is to be written.
    func noteNew(_ variant: StoredVariant, write: () -> Void) {
        guard options.writes == .all, due(variant) == nil else { return }
        variant.mark = Int(wallClock.now + Self.pause)
        write()
    }

    /// Has a result written behind the requests.
    ///
    /// - Parameters:
    ///   - body: Returns the result's body, or `nil` if it is gone.
    ///   - onWritten: Called with the time of writing, in seconds since 1970.
    func write(
        _ variant: StoredVariant, _ name: FarName, body: @escaping @Sendable () async -> Data?,
        onWritten: @escaping @Sendable (Int) async -> Void
    ) {
        writer.add(
            FarWriter.Order(
                name: name, size: variant.head.bodyLength + name.key.count + name.source.count + 1024,
                page: { [sources, wallClock] in
                    var result = variant.marked(nil)
                    result.body = await body()
                    let source = await sources.head(of: name.source)
                    return FarPage(written: Int(wallClock.now), result: result, source: source)
                },
                onWritten: onWritten))
    }
}
