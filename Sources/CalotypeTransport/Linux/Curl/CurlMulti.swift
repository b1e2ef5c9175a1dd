import CCurl
import CalotypeHTTP

/// Owns the multi handle: all transfers, connections and the name cache of one transport.
///
/// And what must outlive every transfer: the TLS sessions, which would otherwise go with a transfer's easy handle, and
/// the table of sockets.
// Unchecked: curl_multi_wakeup may be called from any thread; everything else only by the loop's own.
final class CurlMulti: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
    let share: UnsafeMutableRawPointer
    let sockets = CurlSockets()

    init?(options: CurlTransport.Options) {
        guard CurlLibrary.isReady, let multi = curl_multi_init() else { return nil }
        guard let share = curl_share_init() else {
            curl_multi_cleanup(multi)
            return nil
        }
        pointer = multi
        self.share = share
        _ = calotype_curl_share_tls_sessions(share)
        set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        let (connections, overflows) = options.connectionsPerHost.addingReportingOverflow(max(options.waitingLimit, 0))
        set(CURLMOPT_MAX_HOST_CONNECTIONS, overflows ? options.connectionsPerHost : connections)
        set(CURLMOPT_MAX_CONCURRENT_STREAMS, options.streamsPerHost)
        set(CURLMOPT_MAXCONNECTS, options.transferLimit)
        // Those that are kept make room for new ones, so that all together are no more than may be in use.
        let (all, overflowsAll) = options.transferLimit.addingReportingOverflow(max(options.waitingLimit, 0))
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, overflowsAll ? options.transferLimit : all)
    }

    deinit {
        curl_multi_cleanup(pointer)
        curl_share_cleanup(share)
    }

    /// Makes a poll that runs, or the next one, return at once.
    func wakeUp() {
        curl_multi_wakeup(pointer)
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        _ = calotype_curl_multi_set_long(pointer, option, max(value, 1))
    }
}

/// curl's own set-up, done once in a process.
private enum CurlLibrary {
    static let isReady = calotype_curl_global_init() == CURLE_OK
}
