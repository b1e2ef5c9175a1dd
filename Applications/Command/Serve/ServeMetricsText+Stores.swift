import CalotypeCodecs
import CalotypeServer
import CalotypeStore

extension MetricsText {
    mutating func addStores(_ stores: [(name: String, statistics: StoreStatistics)]) {
        func samples(_ value: KeyPath<StoreStatistics, Int>) -> [Sample] {
            stores.map { Sample($0.statistics[keyPath: value], ("store", $0.name)) }
        }
        gauge("store_entries", "Entries of the store, also of other processes.", samples(\.entries))
        gauge("store_bytes", "Bytes of the store that count against its limit.", samples(\.bytes))
        gauge("store_limit_bytes", "The size limit of the store.", samples(\.byteLimit))
        counter("store_hits_total", "Reads of the store that found an entry.", samples(\.hits))
        counter("store_misses_total", "Reads of the store that found no entry.", samples(\.misses))
        counter("store_writes_total", "Entries written.", samples(\.writes))
        counter("store_failed_writes_total", "Entries that could not be written.", samples(\.failedWrites))
        counter("store_evictions_total", "Entries removed to keep the limit.", samples(\.evictions))
        counter("store_damaged_total", "Damaged entries found.", samples(\.damaged))
    }

    mutating func addWorkers(_ workers: DecoderWorkers.Counters) {
        counter("workers_started_total", "Decoder processes started.", [.init(workers.started)])
        counter(
            "workers_ended_total", "Decoder processes that ended, by reason.",
            workers.ended.sorted { $0.key < $1.key }.map { Sample($0.value, ("reason", $0.key)) })
        counter("workers_images_total", "Files sent to decoder processes.", [.init(workers.images)])
        counter(
            "workers_refused_total", "Files refused because they had ended two decoder processes.",
            [.init(workers.refused)])
        counter(
            "workers_wait_seconds_total", "Time that threads waited for a decoder process.",
            [.init(workers.waited / .seconds(1))])
    }
}

extension ServerMetrics.Stage {
    /// The description of the stage's histogram.
    var help: String {
        switch self {
        case .queue: "The wait of a rendition for memory and a codec thread."
        case .fetch: "Finding a source: from its cache, its origin or its file."
        case .decode: "Decoding a source, and its layout."
        case .encode: "Encoding a result, with the wait for a thread."
        }
    }
}
