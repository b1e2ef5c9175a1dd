extension ProxyMetrics.Counts {
    /// Returns the metrics in the text format of Prometheus.
    ///
    /// - Parameters:
    ///   - storeSize: The size of the store in bytes; `nil` without a store.
    ///   - uptime: The time since the start of the proxy, in seconds.
    func text(storeSize: Int?, uptime: Double) -> String {
        var text = MetricsText(prefix: "calotype_proxy_")
        text.counter("requests_total", "Requests answered, by status class and cache use.", requests)
        text.counter("sent_bytes_total", "Body bytes sent to clients.", [.init(bytesSent)])
        text.counter(
            "clients_left_total", "Clients that disconnected before the end of the response.", [.init(clientsLeft)])
        text.counter("dropped_total", "Responses that the proxy aborted.", [.init(dropped)])
        text.gauge("in_flight", "Requests in flight.", [.init(inFlight)])
        if let storeSize { text.gauge("store_bytes", "Size of the store in bytes.", [.init(storeSize)]) }
        text.gauge("uptime_seconds", "Seconds since the start.", [.init(uptime)])
        return text.text
    }

    private var requests: [MetricsText.Sample] {
        answers.indices.flatMap { statusClass in
            CacheUse.allCases.filter { answers[statusClass][$0.rawValue] > 0 }.map { use in
                MetricsText.Sample(
                    answers[statusClass][use.rawValue], ("status", "\(statusClass)xx"), ("cache", "\(use)"))
            }
        }
    }
}
