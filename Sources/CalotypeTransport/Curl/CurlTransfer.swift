import CCurl
import CalotypeHTTP
import Foundation

/// An easy handle and the exchange it carries now. Lives on curl's thread; used for one exchange after the other.
final class CurlTransfer {
    let easy: UnsafeMutableRawPointer
    private(set) var exchange: Exchange?
    private(set) var isOver = false

    private let options: CurlTransport.Options
    private let turn: CurlTurn
    private let errorText = CurlErrorText()
    private let plainFields: CurlFieldList
    private var fields: CurlFieldList?
    private var needsReset = false

    private var parser: ResponseHeadParser
    private var news = ExchangeState.News()
    private var hasHandedOverHead = false
    private var isTouched = false
    private var unreadBytes = 0
    private var failure: TransportError?
    private var clock = TransferClock()

    init?(options: CurlTransport.Options, turn: CurlTurn) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.options = options
        self.turn = turn
        parser = ResponseHeadParser(limit: options.headLimit)
        plainFields = CurlFieldList(HTTPFields(), hasBody: false)
        setUp()
    }

    deinit { curl_easy_cleanup(easy) }

    static func of(_ easy: UnsafeMutableRawPointer) -> CurlTransfer? {
        calotype_curl_private(easy).map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    var isMultiplexed: Bool { parser.head?.version.hasPrefix("2") ?? false }
    var deadline: UInt64 { clock.deadline(isPaused: news.isPaused) }

    // MARK: One exchange

    func begin(_ exchange: Exchange) {
        self.exchange = exchange
        clock = TransferClock(exchange.request.timeouts, now: turn.now)
        write(exchange.request)
    }

    /// Back to what it was before `begin`.
    func clear() {
        exchange = nil
        isOver = false
        fields = nil
        parser = ResponseHeadParser(limit: options.headLimit)
        news = ExchangeState.News()
        hasHandedOverHead = false
        isTouched = false
        unreadBytes = 0
        failure = nil
        if needsReset {
            curl_easy_reset(easy)
            setUp()
            needsReset = false
        }
    }

    func end(_ end: ExchangeState.End) {
        news.end = end
        touch()
    }

    /// - Returns: whether the transfer was paused and may go on.
    func handOver(to exchange: Exchange) -> Bool {
        isTouched = false
        isOver = news.end != nil
        if !hasHandedOverHead, let head = parser.head {
            news.head = head
            hasHandedOverHead = true
        }
        let told = exchange.tell(news)
        unreadBytes = told.unreadBytes
        news.head = nil
        news.bytes = Data()
        return told.resumesTransfer
    }

    func noteResumed() {
        news.isPaused = false
        unreadBytes = 0
        clock.heardFromServer(at: turn.now)
    }

    /// Why it ended, from curl's result.
    func outcome(of result: CURLcode) -> ExchangeState.End {
        if result == CURLE_OK {
            return parser.head == nil ? .failed(.malformed("the response has no head")) : .complete
        }
        if let failure { return .failed(failure) }
        let failure = CurlFailure(
            result: result, text: errorText.text, host: exchange?.origin.description ?? "",
            connectTimeout: exchange?.request.timeouts.connect ?? .zero, hasHead: parser.head != nil)
        return .failed(failure.translated)
    }

    /// The error with which to end it, where one of its timeouts is over.
    func timeout(at now: UInt64) -> TransportError? {
        // What is sent counts as a sign of life; curl is asked only when the time is up.
        let uploaded = clock.isIdle(at: now) ? Int(calotype_curl_uploaded(easy)) : 0
        return clock.timeout(
            at: now, isPaused: news.isPaused, uploaded: uploaded, host: exchange?.origin.description ?? "")
    }

    // MARK: What curl calls

    fileprivate func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        clock.heardFromServer(at: turn.now)
        do throws(TransportError) {
            try parser.take(line)
        } catch {
            failure = error
            return 0
        }
        if parser.head != nil { touch() }
        return line.count
    }

    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        clock.heardFromServer(at: turn.now)
        touch()
        let waiting = unreadBytes + news.bytes.count
        if waiting > 0, waiting + bytes.count > options.bodyBuffer {
            news.isPaused = true
            return calotype_curl_writefunc_pause()
        }
        if news.bytes.isEmpty { news.bytes.reserveCapacity(expectedBytes(atLeast: bytes.count)) }
        news.bytes.append(contentsOf: bytes)
        return bytes.count
    }

    fileprivate func takeConnected() {
        clock.connected(at: turn.now)
    }

    /// Room for a small body at once; a large one passes in pieces.
    private func expectedBytes(atLeast count: Int) -> Int {
        guard !hasHandedOverHead, let length = parser.head?.fields.contentLength else { return count }
        return max(count, min(length, options.bodyBuffer))
    }

    private func touch() {
        guard !isTouched else { return }
        isTouched = true
        turn.touch(self)
    }

    // MARK: Options

    /// What is the same for every request.
    private func setUp() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA] {
            _ = calotype_curl_set_pointer(easy, option, context)
        }
        _ = calotype_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, calotypeBodyCallback)
        _ = calotype_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, calotypeHeadCallback)
        _ = calotype_curl_set_prereq_callback(easy, calotypeConnectedCallback)
        _ = calotype_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText.pointer)
        calotype_curl_set_protocols(easy, "http,https")
        calotype_curl_set_quick_exit(easy)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_BUFFERSIZE, 64 << 10)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_HTTP_VERSION, options.allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        set(CURLOPT_USERAGENT, options.userAgent)
        if let proxy = options.proxy.curlValue { set(CURLOPT_PROXY, proxy) }
        if let file = options.certificateAuthorities { set(CURLOPT_CAINFO, file) }
        _ = calotype_curl_set_fields(easy, plainFields.pointer)
    }

    private func write(_ request: HTTPRequest) {
        set(CURLOPT_URL, request.url.absoluteString)
        set(CURLOPT_CONNECTTIMEOUT_MS, clock.connectMilliseconds)
        // Wait until the first connection has told whether it takes more than one request. Only TLS tells so early.
        let mayMultiplex = options.allowsHTTP2 && exchange?.origin.scheme == "https"
        set(CURLOPT_PIPEWAIT, mayMultiplex ? 1 : 0)
        if !request.fields.isEmpty || request.body != nil {
            let fields = CurlFieldList(request.fields, hasBody: request.body != nil)
            _ = calotype_curl_set_fields(easy, fields.pointer)
            self.fields = fields
            needsReset = true
        }
        if request.method != .get || request.body != nil || request.rawTarget != nil { writeSpecial(request) }
    }

    private func writeSpecial(_ request: HTTPRequest) {
        needsReset = true
        if let target = request.rawTarget { set(CURLOPT_REQUEST_TARGET, target) }
        if request.method == .head { return set(CURLOPT_NOBODY, 1) }
        // On a kept connection that turns out dead curl sends again, which only safe methods allow.
        if !request.method.isSafe { set(CURLOPT_FRESH_CONNECT, 1) }
        if let body = request.body {
            _ = calotype_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            body.withUnsafeBytes { bytes in
                // curl copies it. An empty body has no address, and a null pointer would mean "read it from a callback".
                var nothing: UInt8 = 0
                withUnsafeMutablePointer(to: &nothing) { empty in
                    let start = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
                    _ = calotype_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, start ?? UnsafeMutableRawPointer(empty))
                }
            }
        }
        set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }

    private func set(_ option: CURLoption, _ value: Int) { _ = calotype_curl_set_long(easy, option, value) }
    private func set(_ option: CURLoption, _ value: String?) { _ = calotype_curl_set_string(easy, option, value) }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private let calotypeHeadCallback: calotype_curl_data_callback = { bytes, size, count, context in
    transfer(context)?.takeHeadLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private let calotypeBodyCallback: calotype_curl_data_callback = { bytes, size, count, context in
    transfer(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private let calotypeConnectedCallback: calotype_curl_prereq_callback = { context, _, _, _, _ in
    transfer(context)?.takeConnected()
    return CURL_PREREQFUNC_OK
}
