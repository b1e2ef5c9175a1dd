package import Calotype
package import CalotypeBase
package import CalotypeCodecs
package import CalotypeHTTP
import CalotypeHTTPCache
package import CalotypeListener
import CalotypeStore
import Foundation

/// An HTTP server of thumbnails: it parses and verifies URLs, and answers from the cache of results or from the press
/// below it.
///
/// A fresh result in memory leaves on the listener's thread, without a task.
package final class RenditionServer: Sendable {
    let results: HTTPCache
    let press: RenditionTransport
    private let listener: Listener
    /// The stores of sources and results, or none without a folder.
    let disks: [DiskStore]

    /// - Throws: `ServerError` for a root or a watermark that cannot be used, `ListenerError` for the address.
    package init(_ options: Options) throws {
        do throws(CodecError) { try options.isolation.start() } catch { throw ServerError(error.message) }
        let root: SourceRoot
        do throws(SystemError) { root = try SourceRoot(options.root) } catch {
            throw ServerError("the root \(options.root) cannot be opened: \(error)")
        }
        if !root.resolvesLinks {
            options.report("this kernel or container has no openat2: links below the root are not followed")
        }
        let originals = options.openStore("sources"), results = options.openStore("results")
        press = RenditionTransport(
            options, local: LocalSources(root, ImageLoader(options.loader), byteLimit: options.maxSourceBytes),
            web: WebSources(options, disk: originals))
        self.results = options.makeResults(results)
        disks = [originals, results].compactMap(\.self)
        let answers = RenditionAnswers(options, cache: self.results, over: press)
        listener = try Listener(options: options.listener, answer: answers.answer)
    }

    /// The URL of the server, such as http://127.0.0.1:8080.
    package var url: URL { listener.url }

    /// The number of renditions that were encoded since the server has started.
    package var encodes: Int { press.work.encodes }

    /// The number of requests that wait for another one's work: in the cache, or in the press if the cache may not share
    /// the answer.
    var waiters: Int { results.waiters + max(0, press.waiters - 1) }

    /// Answers what is in progress, and stops. Pending writes are completed.
    package func close() async {
        await listener.drain()
        listener.stop()
        for disk in disks { try? await disk.close() }
    }

    /// Stops at once.
    package func stop() { listener.stop() }

    /// The options of a server.
    package struct Options: Sendable {
        /// The folder of `local:///`.
        package var root: String
        package var listener = Listener.Options()
        /// Checks signatures, or `nil` for a server that takes unsigned URLs.
        package var signer: URLSigner?
        package var grammar = RenditionGrammar()
        /// The folder for results, or `nil` to keep them in memory only.
        package var store: String?
        /// The size of ``store``, in bytes. The default is 1 GB.
        package var storeSize = 1_000_000_000
        /// The memory for results, in bytes. The default is 64 MiB.
        package var memory = 64 << 20
        package var watermark: Bitmap?
        /// The formats that sources may have.
        package var decoders = DecoderRegistry.standard
        /// The permitted sources on the web. Empty by default.
        package var allowed = AllowedSources()
        /// The fields of requests for sources that begin with a prefix, such as credentials. No redirect takes them
        /// elsewhere.
        package var sourceFields: [(prefix: URLPrefix, fields: HTTPFields)] = []
        /// The number of redirects in a row. The default is 5.
        package var redirectLimit = 5
        /// The lifetime of a source without freshness, in seconds. The default is an hour.
        package var defaultLifetime = 3600.0
        /// Whether origins decide about the freshness of their sources. If `false`, each is fresh for
        /// ``defaultLifetime``. The default is `true`.
        package var obeysFreshness = true
        /// The origin whose scripts may read answers, or "*" for each. If `nil` (the default), none may.
        package var scriptOrigin: ByteString?
        /// The most pixels of a source. The default is 50 million.
        package var maxSourcePixels = 50_000_000
        /// The most bytes of a source. The default is 50 MB.
        package var maxSourceBytes = 50_000_000
        /// The longest side of a result, in pixels. The default is 8192.
        package var maxResultSide = 8192
        /// The formats that decode in processes of their own. The default is `riskyFormats`.
        package var isolation = DecoderIsolation.riskyFormats
        package var wallClock = WallClock.system
        /// Receives problems that fail no request, and the options that were left out of a URL.
        package var report: @Sendable (String) -> Void = { _ in }

        package init(root: String) { self.root = root }

        var loader: ImageLoaderOptions {
            var options = ImageLoaderOptions.ephemeral
            options.decoders = decoders
            options.limits.maxPixels = maxSourcePixels
            options.limits.maxBitmapBytes = nil
            options.bodyLimit = maxSourceBytes
            options.schemes = []
            // Results are cached as files, not as bitmaps.
            options.memory.costLimit = 0
            options.isolation = isolation
            options.wallClock = wallClock
            return options
        }

        func makeResults(_ disk: DiskStore?) -> HTTPCache {
            var rules = CacheRules(.shared)
            rules.negativeLifetime = 0
            var options = HTTPCacheOptions()
            options.isGateway = true
            let onProblem: @Sendable (any Error) -> Void = { [report] in report("the results: \($0)") }
            guard let disk else {
                return HTTPCache(
                    rules: rules, store: MemoryHTTPCacheStore(byteLimit: memory), options: options,
                    wallClock: wallClock, onProblem: onProblem)
            }
            return HTTPCache(
                rules: rules, store: DiskHTTPCacheStore(disk, memory: memory), options: options,
                wallClock: wallClock, onProblem: onProblem)
        }

        /// Opens one of the two stores below ``store``, or returns `nil` without a folder.
        func openStore(_ name: String) -> DiskStore? {
            store.map { folder in
                var options = DiskStoreOptions()
                options.byteLimit = storeSize
                options.maximumAge = nil
                return DiskStore(directory: "\(folder)/\(name)", options: options) { [report] in
                    report("the store of \(name): \($0)")
                }
            }
        }
    }
}

/// A server that cannot start, with the reason in one line.
package struct ServerError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
