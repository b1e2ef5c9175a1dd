import CalotypeServer

/// The metrics of `calotype serve` in the text format of Prometheus.
struct ServeMetricsText {
    private var text: MetricsText

    /// - Parameters:
    ///   - prefix: The beginning of all names.
    ///   - lostLines: The number of log lines that were lost.
    ///   - uptime: The time since the start, in seconds.
    static func of(_ server: RenditionServer, prefix: String, lostLines: Int, uptime: Double) async -> String {
        var page = ServeMetricsText(text: MetricsText(prefix: prefix))
        let values = server.metrics.values
        page.addRequests(values)
        page.addWork(values)
        page.addDecodes(of: server)
        page.text.gauge("downloads", "Downloads of sources that have a slot.", [.init(server.downloads)])
        page.text.addStores(await server.storeStatistics())
        if let far = server.farCounts { page.text.addFar(far) }
        if let workers = server.workers { page.text.addWorkers(workers) }
        page.text.counter("log_lines_lost_total", "Log lines lost because their reader stalled.", [.init(lostLines)])
        page.text.gauge("uptime_seconds", "Seconds since the start.", [.init(uptime)])
        return page.text.text
    }

    private mutating func addRequests(_ values: ServerMetrics.Values) {
        text.counter(
            "requests_total", "Requests for renditions, by their one outcome.",
            values.outcomes.map { .init($0.1, ("outcome", $0.0.rawValue)) })
        text.counter(
            "responses_total", "The same requests, by status. 499 is a client that left.",
            values.statuses.filter { $0.1 > 0 }.map { .init($0.1, ("status", $0.0.map { "\($0)" } ?? "other")) })
        text.gauge("in_flight", "Requests in flight.", [.init(values.inFlight)])
        text.counter("sent_bytes_total", "Body bytes of the responses.", [.init(values.sentBytes)])
        text.counter(
            "clients_left_total", "Clients that disconnected before the end of the response.",
            [.init(values.clientsLeft)])
        text.counter("dropped_total", "Responses that the server broke off.", [.init(values.dropped)])
        text.counter("cut_total", "Requests cut because the server ended.", [.init(values.cut)])
        text.histogram("first_byte_seconds", "From the request to the start of the response.", values.firstByte)
    }

    private mutating func addDecodes(of server: RenditionServer) {
        // In this order, so that no difference is negative.
        let together = server.sharingEncodes, encodes = server.encodes
        text.counter("decodes_total", "Images decoded for renditions.", [.init(server.decodes)])
        text.counter(
            "encodes_total", "Renditions encoded, by whether other sizes had the same decode.",
            [.init(encodes - together, ("decode", "alone")), .init(together, ("decode", "together"))])
    }

    private mutating func addWork(_ values: ServerMetrics.Values) {
        for (stage, histogram) in values.stages {
            text.histogram("\(stage.rawValue)_seconds", stage.help, histogram)
        }
        text.counter(
            "origin_responses_total", "Responses of origins, by status.",
            values.origins.map { .init($0.1, ("status", $0.0)) })
        text.counter(
            "origin_failures_total", "Exchanges with origins without a response, by reason.",
            values.originFailures.map { .init($0.1, ("reason", $0.0)) })
        text.counter(
            "ignored_options_total", "Options of URLs that were left out, by name.",
            values.ignoredOptions.map { .init($0.1, ("option", $0.0)) })
        text.counter(
            "gain_maps_total", "Gain maps of sources: kept, or the reason for which a map was dropped.",
            values.gainMaps.map { .init($0.1, ("outcome", $0.0)) })
        text.gauge(
            "memory_limit_bytes", "The parts into which the memory is divided.",
            values.memory.map { .init($0.limit, ("share", $0.name)) })
        text.gauge(
            "memory_used_bytes", "The memory in use of each part.",
            values.memory.map { .init($0.used, ("share", $0.name)) })
    }
}
