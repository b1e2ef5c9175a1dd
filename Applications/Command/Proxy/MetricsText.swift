/// The metrics in the text format of Prometheus (version 0.0.4).
enum MetricsText {
    /// - Parameters:
    ///   - storeSize: The size of the store in bytes; `nil` without a store.
    ///   - uptime: The time since the start of the proxy, in seconds.
    static func of(_ counts: ProxyMetrics.Counts, storeSize: Int?, uptime: Double) -> String {
        var lines: [String] = []
        func add(_ name: String, _ type: String, _ help: String, _ samples: [(labels: String, value: String)]) {
            lines.append("# HELP calotype_proxy_\(name) \(help)")
            lines.append("# TYPE calotype_proxy_\(name) \(type)")
            lines += samples.map { "calotype_proxy_\(name)\($0.labels) \($0.value)" }
        }
        add("requests_total", "counter", "Requests answered, by status class and cache use.", answers(counts))
        add("sent_bytes_total", "counter", "Body bytes sent to clients.", [("", "\(counts.bytesSent)")])
        add(
            "clients_left_total", "counter", "Clients that disconnected before the end of the response.",
            [("", "\(counts.clientsLeft)")])
        add("dropped_total", "counter", "Responses that the proxy aborted.", [("", "\(counts.dropped)")])
        add("in_flight", "gauge", "Requests in flight.", [("", "\(counts.inFlight)")])
        if let storeSize { add("store_bytes", "gauge", "Size of the store in bytes.", [("", "\(storeSize)")]) }
        add("uptime_seconds", "gauge", "Seconds since the start.", [("", "\(uptime)")])
        return lines.joined(separator: "\n") + "\n"
    }

    private static func answers(_ counts: ProxyMetrics.Counts) -> [(labels: String, value: String)] {
        counts.answers.indices.flatMap { statusClass in
            CacheUse.allCases.filter { counts.answers[statusClass][$0.rawValue] > 0 }.map { use in
                ("{status=\"\(statusClass)xx\",cache=\"\(use)\"}", "\(counts.answers[statusClass][use.rawValue])")
            }
        }
    }
}
