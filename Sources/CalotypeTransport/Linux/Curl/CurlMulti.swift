import CCurl
import CalotypeHTTP

/// The owner of the multi handle, which contains all transfers and connections of a transport. It also owns the table
/// of sockets and the TLS sessions, which would otherwise belong to an easy handle: both must outlive every transfer.
// Unchecked: any thread may call curl_multi_wakeup; everything else is used only on the loop's thread.
final class CurlMulti: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
    let share: UnsafeMutableRawPointer
    let sockets = CurlSockets()

    init?(options: CurlTransport.Options) {
        guard isCurlReady, let multi = curl_multi_init() else { return nil }
        guard let share = curl_share_init() else {
            curl_multi_cleanup(multi)
            return nil
        }
        pointer = multi
        self.share = share
        _ = calotype_curl_share_tls_sessions(share)
        set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        let lendingLimit = options.lendingLimit
        let (connections, overflows) = options.connectionsPerHost.addingReportingOverflow(lendingLimit)
        set(CURLMOPT_MAX_HOST_CONNECTIONS, overflows ? options.connectionsPerHost : connections)
        set(CURLMOPT_MAX_CONCURRENT_STREAMS, options.streamsPerHost)
        set(CURLMOPT_MAXCONNECTS, max(options.transferLimit, options.idleLimit))
        // At this limit, curl closes idle connections before it opens new ones.
        let (all, overflowsAll) = options.transferLimit.addingReportingOverflow(lendingLimit)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, overflowsAll ? options.transferLimit : all)
    }

    deinit {
        curl_multi_cleanup(pointer)
        curl_share_cleanup(share)
    }

    /// Makes the current or next poll return at once.
    func wakeUp() {
        curl_multi_wakeup(pointer)
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        _ = calotype_curl_multi_set_long(pointer, option, max(value, 1))
    }
}

/// Whether curl's global set-up, which runs once per process, has succeeded.
private let isCurlReady = calotype_curl_global_init() == CURLE_OK
