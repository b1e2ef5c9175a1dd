package import Calotype
package import CalotypeBase
package import CalotypeCodecs
package import CalotypeHTTP
import CalotypeHTTPCache
package import CalotypeListener
import CalotypeStore
package import CalotypeTransport
package import CalotypeURLs
import Foundation

/// An HTTP server for thumbnails: it verifies and parses URLs, and responds from a cache of results. A
/// `RenditionTransport` makes the results that the cache lacks.
///
/// The listener's thread sends a fresh result from memory directly, without starting a task.
package final class RenditionServer: Sendable {
    let results: HTTPCache
    let renditions: RenditionTransport
    private let listener: Listener
    /// The stores of sources and results; empty if `Options.store` is `nil`.
    let disks: [DiskStore]

    /// - Throws: `ServerError` if the root cannot be opened or decoder processes cannot be started, `ListenerError` if
    ///   the address cannot be used.
    package init(_ options: Options) throws {
        do throws(CodecError) { try options.isolation.start() } catch { throw ServerError(start: error.message) }
        let root: SourceRoot
        do throws(SystemError) { root = try SourceRoot(options.root) } catch {
            throw ServerError(start: "the root \(options.root) cannot be opened: \(error)")
        }
        if !root.resolvesLinks {
            options.report("this kernel or container has no openat2: links below the root are not followed")
        }
        do throws(StoreError) { try options.makeStoreFolders() } catch {
            throw ServerError(start: "the store cannot be written: \(error)")
        }
        let originals = options.openStore("sources"), results = options.openStore("results")
        let watermark = options.watermark.map(WatermarkImage.init)
        renditions = RenditionTransport(
            options, local: LocalSources(root, ImageLoader(options.loader), byteLimit: options.maxSourceBytes),
            web: WebSources(options, disk: originals), watermark)
        self.results = options.makeResults(results)
        disks = [originals, results].compactMap(\.self)
        let journal = AnswerLog(options)
        let answers = RenditionAnswers(
            options, ClientTargets(options, mark: watermark?.digest), cache: self.results, over: renditions,
            journal)
        var listening = options.listener
        listening.onRefusal = { status, reason in journal.note(status, [:], .none, reason) }
        // A worker may start at any time, and gets its descriptors however many clients are connected.
        listening.keptDescriptors += DescriptorBudget.current.kept(for: options.isolation.descriptors)
        listener = try Listener(options: listening, answer: answers.answer)
    }

    /// The URL of the server, such as http://127.0.0.1:8080.
    package var url: URL { listener.url }

    /// The number of renditions encoded since the server started, including those in progress.
    package var encodes: Int { renditions.work.encodes }

    /// The number of requests that wait for the work of another request: in the cache or, if the cache may not share
    /// the response, in the transport.
    var waiters: Int { results.waiters + max(0, renditions.waiters - 1) }

    /// Finishes the requests in flight and all pending writes, then stops.
    package func close() async {
        await listener.drain()
        listener.stop()
        for disk in disks { try? await disk.close() }
    }

    /// Stops at once, without finishing the requests in flight.
    package func stop() { listener.stop() }

    package struct Options: Sendable {
        /// The path of the folder to which `local:///` refers.
        package var root: LocalPath
        package var listener = Listener.Options()
        /// Checks signatures. If `nil`, the server accepts any signature.
        package var signer: URLSigner?
        package var grammar = RenditionGrammar()
        /// The formats that a client may get because it accepts them, if the URL names no format. The default is both;
        /// with neither, results do not depend on the client.
        package var negotiated = AcceptedFormats.both
        /// The path of the folder for sources and results, or `nil` to keep both in memory only.
        package var store: String?
        /// The size limit of each of the two stores in ``store``, in bytes. The default is 1 GB.
        package var storeSize = 1_000_000_000
        /// The memory limit for results, in bytes. Without ``store``, sources in memory have a separate limit of the
        /// same size. The default is 64 MiB.
        package var memory = 64 << 20
        package var watermark: Bitmap?
        /// The decoders of the formats that sources may have.
        package var decoders = DecoderRegistry.standard
        /// The permitted sources on the web. Empty by default.
        package var allowed = AllowedSources()
        /// The addresses of the hosts of sources. The default is all.
        package var addresses = AddressRules.all
        /// Header fields, such as credentials, for requests to URLs that begin with a prefix. After a redirect to
        /// another URL, they are not sent.
        package var sourceFields: [(prefix: URLPrefix, fields: HTTPFields)] = []
        /// The maximum number of redirects for a source. The default is 5.
        package var redirectLimit = 5
        /// The lifetime of a source on the web whose origin states no freshness, in seconds. The default is 3,600.
        package var defaultLifetime = 3600.0
        /// The lifetime of the results of local sources, in seconds, in responses to clients. The default, `nil`, is a
        /// minute: the time after which the server itself looks at a file again.
        package var localLifetime: Int?
        /// Whether the origin's response determines the freshness of a source. If `false`, each source is fresh for
        /// ``defaultLifetime``. The default is `true`.
        package var obeysFreshness = true
        /// The other origin whose scripts may read responses, or "*" for all origins. The default, `nil`, permits none.
        package var scriptOrigin: ByteString?
        /// The maximum number of pixels in a source. The default is 50 million.
        package var maxSourcePixels = 50_000_000
        /// The maximum number of pixels in an animation, added up over its frames. Each frame counts as the larger of
        /// its canvas and its result, and as at least 16,384. The result of a larger animation is its first frame. The
        /// default is 50 million.
        package var maxAnimationPixels = 50_000_000
        /// The maximum size of a source, in bytes. The default is 50 MB.
        package var maxSourceBytes = 50_000_000
        /// The longest side of a result, in pixels. The default is 8192.
        package var maxResultSide = 8192
        /// The formats that are decoded in separate processes. The default is `riskyFormats`.
        package var isolation = DecoderIsolation.riskyFormats
        package var wallClock = WallClock.system
        /// The clock for time limits.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// Called with the record of each answer that has a status of 400 or above, on threads that must not block. The
        /// default, `nil`, makes no records.
        package var log: (@Sendable (AnswerRecord) -> Void)?
        /// Called with a message for each problem and each ignored URL option.
        package var report: @Sendable (String) -> Void = { _ in }

        package init(root: LocalPath) { self.root = root }

        package init(root: String) { self.init(root: LocalPath(text: root)) }

        var loader: ImageLoaderOptions {
            var options = ImageLoaderOptions.ephemeral
            options.decoders = decoders
            options.limits.maxPixels = maxSourcePixels
            // `RenditionAnimation` checks it, and makes a still image of a larger animation.
            options.limits.maxAnimationPixels = .max
            options.limits.maxBitmapBytes = nil
            options.bodyLimit = maxSourceBytes
            options.schemes = []
            options.addresses = addresses
            // The HTTP cache keeps results encoded, so the loader need not cache bitmaps.
            options.memory.costLimit = 0
            options.isolation = isolation
            options.wallClock = wallClock
            // The client learns how long the origin asks to wait, instead of waiting for it here.
            options.retry.statuses.subtract([408, 429])
            options.retry.longestRetryAfter = .seconds(1)
            return options
        }

        func makeResults(_ disk: DiskStore?) -> HTTPCache {
            var rules = CacheRules(.shared)
            rules.negativeLifetime = .zero
            var options = HTTPCacheOptions()
            options.isGateway = true
            let onProblem: @Sendable (any Error) -> Void = { [report] in report("the results: \($0)") }
            let store: any HTTPCacheStore =
                if let disk { DiskHTTPCacheStore(disk, memory: memory) } else {
                    MemoryHTTPCacheStore(byteLimit: memory)
                }
            return HTTPCache(
                rules: rules, store: store, options: options, wallClock: wallClock, onProblem: onProblem)
        }

        /// Makes the folders of ``store``, so that a server which cannot write there does not start.
        func makeStoreFolders() throws(StoreError) {
            guard let store else { return }
            for name in ["sources", "results"] { try DiskStore.makeFolder("\(store)/\(name)") }
        }

        /// Opens the store for sources or for results, or returns `nil` if ``store`` is `nil`.
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
