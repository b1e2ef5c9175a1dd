import CalotypeHTTP
import CalotypeListener
import Foundation

/// The server for health and metrics, on a separate port.
enum AdminServer {
    static func listener(
        at address: ListenAddress, metrics: ProxyMetrics, upstream: ProxyUpstream
    ) throws(ListenerError) -> Listener {
        var options = Listener.Options(host: address.host, port: address.port)
        // Keep the limit small, because `ProxyLimits.connections` does not include these connections.
        options.connectionLimit = 16
        return try Listener(options: options) { request in
            guard address.isMeant(by: request.fields["Host"]?.string) else {
                return text("This server answers only for names of this machine.\n", status: 421)
            }
            return await answer(request, metrics, upstream)
        }
    }

    private static func answer(
        _ request: ListenerRequest, _ metrics: ProxyMetrics, _ upstream: ProxyUpstream
    ) async -> ListenerResponse {
        guard request.method == .get || request.method == .head else {
            return text("Only GET and HEAD are allowed.\n", status: 405, ["Allow": "GET, HEAD"])
        }
        switch request.path {
        case "/.calotype/health": return text("ok\n")
        case "/.calotype/metrics":
            let uptime = (ContinuousClock.now - metrics.started) / .seconds(1)
            return text(MetricsText.of(metrics.counts, storeSize: await upstream.storeSize(), uptime: uptime))
        default: return text("There is nothing here; see /.calotype/health and /.calotype/metrics.\n", status: 404)
        }
    }

    private static func text(_ text: String, status: Int = 200, _ more: HTTPFields = [:]) -> ListenerResponse {
        var fields = more
        fields["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
        fields["Cache-Control"] = "no-store"
        return ListenerResponse(status: status, fields: fields, body: Data(text.utf8))
    }
}
