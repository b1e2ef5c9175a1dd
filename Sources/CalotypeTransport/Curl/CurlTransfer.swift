import CCurl
import CalotypeHTTP
import Foundation

/// An easy handle and the exchange it carries now. Lives on curl's thread; used for one exchange after the other.
final class CurlTransfer {
    let easy: UnsafeMutableRawPointer
    private(set) var exchange: Exchange?
    private(set) var isOver = false

    let options: CurlTransport.Options
    private let turn: CurlTurn
    let errorText = CurlErrorText()
    let plainFields: CurlFieldList
    /// Those of the present request, which curl does not copy.
    var fields: CurlFieldList?
    /// Whether the present request set options that the next one must not inherit.
    var needsReset = false

    private var parser: ResponseHeadParser
    private var news = ExchangeState.News()
    private var hasHandedOverHead = false
    private var isTouched = false
    private var unreadBytes = 0
    private var failure: TransportError?
    private(set) var clock = TransferClock()

    init?(options: CurlTransport.Options, turn: CurlTurn) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.options = options
        self.turn = turn
        parser = ResponseHeadParser(limit: options.headLimit)
        plainFields = CurlFieldList(HTTPFields(), hasBody: false, isPlain: options.addsNothing)
        setUp()
    }

    deinit { curl_easy_cleanup(easy) }

    static func of(_ easy: UnsafeMutableRawPointer) -> CurlTransfer? {
        calotype_curl_private(easy).map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the response's body waits for its reader.
    var isPaused: Bool { news.isPaused }
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

    func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        clock.heardFromServer(at: turn.now)
        let hadHead = parser.head != nil
        do throws(TransportError) {
            if let interim = try parser.take(line) { exchange?.observer?(interim.status, interim.fields) }
        } catch {
            failure = error
            return 0
        }
        guard let head = parser.head else { return line.count }
        if !hadHead, head.isCodedByNobody { readUntilClose() }
        touch()
        return line.count
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
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

    func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch exchange?.feed?.read(into: buffer) {
        case .bytes(let count): return count
        case .later: return calotype_curl_readfunc_pause()
        case .end: return 0
        case .failed(let error):
            failure = error
            return calotype_curl_readfunc_abort()
        case nil: return calotype_curl_readfunc_abort()
        }
    }

    func takeConnected() {
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
}
