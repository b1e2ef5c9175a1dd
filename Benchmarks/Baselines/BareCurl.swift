import CCurl
import Foundation

/// curl's multi interface and nothing else: the lower bound for a transport based on it.
///
/// One loop runs on the calling thread, with one reused easy handle for each transfer in flight. Each body is collected
/// in a separate allocation, and freed once it is complete, as in the library.
final class BareCurl {
    private let multi: UnsafeMutableRawPointer
    private var transfers: [Transfer] = []

    init(inFlight: Int) throws {
        guard let multi = curl_multi_init() else { throw BenchError("curl gave no multi handle") }
        self.multi = multi
        for _ in 0..<inFlight { transfers.append(try Transfer()) }
    }

    deinit {
        transfers = []
        curl_multi_cleanup(multi)
    }

    /// Loads all URLs, started in order, and checks that each body has `bytes` bytes.
    func load(_ urls: [String], expecting bytes: Int) throws {
        var rest = urls[...]
        var running = 0
        for transfer in transfers {
            guard let url = rest.popFirst() else { break }
            transfer.start(url, in: multi)
            running += 1
        }
        while running > 0 {
            var active: Int32 = 0
            curl_multi_perform(multi, &active)
            while let transfer = try nextComplete() {
                curl_multi_remove_handle(multi, transfer.easy)
                guard transfer.takeBody() == bytes else { throw BenchError("bare curl: a body has the wrong length") }
                if let url = rest.popFirst() { transfer.start(url, in: multi) } else { running -= 1 }
            }
            if running > 0 { curl_multi_poll(multi, nil, 0, 1000, nil) }
        }
    }

    private func nextComplete() throws -> Transfer? {
        var left: Int32 = 0
        guard let message = curl_multi_info_read(multi, &left), message.pointee.msg == CURLMSG_DONE else { return nil }
        guard message.pointee.data.result == CURLE_OK, let easy = message.pointee.easy_handle,
            let context = calotype_curl_private(easy)
        else { throw BenchError("bare curl: a transfer failed with code \(message.pointee.data.result.rawValue)") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// A transfer in flight: its handle, and the body received so far.
    private final class Transfer {
        let easy: UnsafeMutableRawPointer
        private var body: UnsafeMutableRawPointer?
        private var count = 0
        private var capacity = 0

        init() throws {
            guard let easy = curl_easy_init() else { throw BenchError("curl gave no easy handle") }
            self.easy = easy
            let context = Unmanaged.passUnretained(self).toOpaque()
            _ = calotype_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
            _ = calotype_curl_set_string(easy, CURLOPT_PROXY, "")
            _ = calotype_curl_set_pointer(easy, CURLOPT_PRIVATE, context)
            _ = calotype_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
            _ = calotype_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let context, let bytes else { return 0 }
                return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().append(bytes, size * count)
            }
        }

        deinit {
            free(body)
            curl_easy_cleanup(easy)
        }

        func start(_ url: String, in multi: UnsafeMutableRawPointer) {
            _ = calotype_curl_set_string(easy, CURLOPT_URL, url)
            curl_multi_add_handle(multi, easy)
        }

        /// Frees the body, and returns its length.
        func takeBody() -> Int {
            defer { (body, count, capacity) = (nil, 0, 0) }
            free(body)
            return count
        }

        private func append(_ bytes: UnsafeMutablePointer<CChar>, _ length: Int) -> Int {
            if count + length > capacity {
                capacity = max(2 * capacity, count + length)
                body = realloc(body, capacity)
            }
            guard let body else { return 0 }
            memcpy(body + count, bytes, length)
            count += length
            return length
        }
    }
}
