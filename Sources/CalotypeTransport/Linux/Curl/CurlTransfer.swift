import CCurl
import CalotypeHTTP
import Foundation

/// One exchange on its way through curl, with an easy handle that serves no other. Lives on curl's thread.
///
/// Handles are not reused, not even after a reset: before version 8.2, curl keeps a pointer to the last field of the
/// previous response, and follows it into freed memory when the next head begins with a folded line (curl #11101).
final class CurlTransfer {
    let easy: UnsafeMutableRawPointer
    let exchange: CurlExchange
    private(set) var isOver = false
    /// A Boolean value indicating whether the request was not written because the server had sent bytes on the kept
    /// connection, unasked.
    private(set) var needsNewConnection = false

    let surroundings: CurlSurroundings
    let errorText = CurlErrorText()
    /// Those of the request, which curl does not copy.
    var fields: CurlFieldList?
    /// The addresses for the names on the route, which curl does not copy either.
    let addresses: CurlFieldList
    let route: CurlRoute
    /// A Boolean value indicating whether curl was told not to use a kept connection.
    private let isOnNewConnection: Bool

    private var parser: ResponseHeadParser
    private var news = ExchangeState.News()
    private var hasHandedOverHead = false
    private var isTouched = false
    private var isUploadPaused = false
    /// A Boolean value indicating whether others have its place. Kept by the engine.
    var hasLentPlace = false
    private var unreadBytes = 0
    private var failure: TransportError?
    private(set) var clock: TransferClock
    private var pace: TransferPace?
    private var receivedBytes = 0

    /// - Returns: nil when curl has no memory for it.
    convenience init?(_ exchange: CurlExchange, in surroundings: CurlSurroundings) {
        let clock = TransferClock(
            exchange.request.timeouts, now: surroundings.turn.now, spent: exchange.route.withLock(\.spent))
        self.init(exchange, in: surroundings, clock, onNewConnection: exchange.request.mayNotBeSentTwice)
    }

    /// The same exchange once more, on a new connection and with the same deadlines.
    convenience init?(again transfer: CurlTransfer) {
        self.init(transfer.exchange, in: transfer.surroundings, transfer.clock, onNewConnection: true)
    }

    private init?(
        _ exchange: CurlExchange, in surroundings: CurlSurroundings, _ clock: TransferClock, onNewConnection: Bool
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.exchange = exchange
        self.surroundings = surroundings
        self.clock = clock
        isOnNewConnection = onNewConnection
        route = exchange.route.withLock { $0 }
        addresses = CurlFieldList(route.lines)
        let options = surroundings.options
        pace = options.sharesPlaces ? TransferPace(window: options.paceWindow, now: surroundings.turn.now) : nil
        parser = ResponseHeadParser(limit: surroundings.options.headLimit)
        setUp()
        write(exchange.request, onNewConnection: onNewConnection)
    }

    deinit { curl_easy_cleanup(easy) }

    static func of(_ easy: UnsafeMutableRawPointer) -> CurlTransfer? {
        calotype_curl_private(easy).map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// A Boolean value indicating whether the response's body waits for its reader.
    var isPaused: Bool { news.isPaused }
    /// A Boolean value indicating whether it goes on only when the one who asked brings or takes more.
    var waitsForClient: Bool { news.isPaused || isUploadPaused }
    var isMultiplexed: Bool { parser.head?.version.hasPrefix("2") ?? false }
    var deadline: UInt64 { min(clock.deadline(isPaused: news.isPaused), pace?.deadline ?? .max) }

    // MARK: What the loop does with it

    func end(_ end: ExchangeState.End) {
        news.end = end
        touch()
    }

    /// - Returns: whether the transfer was paused and may go on.
    func handOver() -> Bool {
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
        clock.resumed(at: surroundings.turn.now)
        restartPace()
    }

    func noteUploadResumed() {
        isUploadPaused = false
        restartPace()
    }

    /// Why it ended, from curl's result.
    func outcome(of result: CURLcode) -> ExchangeState.End {
        if result == CURLE_OK {
            return parser.head == nil ? .failed(.malformed("the response has no head")) : .complete
        }
        if let failure { return .failed(failure) }
        let failure = CurlFailure(
            result: result, text: errorText.text, host: exchange.origin.description,
            connectTimeout: exchange.request.timeouts.connect, hasHead: parser.head != nil)
        return .failed(failure.translated)
    }

    /// The error with which to end it, where one of its timeouts is over.
    func timeout(at now: UInt64) -> TransportError? {
        // What is sent counts as a sign of life; curl is asked only when the time is up.
        let uploaded = clock.isIdle(at: now) ? Int(calotype_curl_uploaded(easy)) : 0
        return clock.timeout(
            at: now, isPaused: news.isPaused, uploaded: uploaded, host: exchange.origin.description)
    }

    /// Returns whether it moves so few bytes that others should have its place.
    func isSlow(at now: UInt64) -> Bool {
        guard let deadline = pace?.deadline, now >= deadline else { return false }
        return pace?.isSlow(at: now, bytes: movedBytes) ?? false
    }

    private var movedBytes: Int { receivedBytes + Int(calotype_curl_uploaded(easy)) }

    private func restartPace() {
        if pace != nil, !waitsForClient { pace?.restart(at: surroundings.turn.now, bytes: movedBytes) }
    }

    // MARK: What curl calls

    func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        clock.heardFromServer(at: surroundings.turn.now)
        let hadHead = parser.head != nil
        do throws(TransportError) {
            if let interim = try parser.take(line) { exchange.observer?(interim.status, interim.fields) }
        } catch {
            failure = error
            return 0
        }
        guard let head = parser.head else { return line.count }
        if !hadHead {
            if head.isCodedByNobody { readUntilClose() }
            restartPace()
        }
        touch()
        return line.count
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        clock.heardFromServer(at: surroundings.turn.now)
        touch()
        // Nobody reads a body without a head: a pause would stop the clocks of a transfer that never goes on.
        guard parser.head != nil else {
            failure = .malformed("the response's body begins before its head")
            return 0
        }
        let waiting = unreadBytes + news.bytes.count
        if waiting > 0, waiting + bytes.count > surroundings.options.bodyBuffer {
            news.isPaused = true
            clock.paused(at: surroundings.turn.now)
            pace?.pause()
            return calotype_curl_writefunc_pause()
        }
        clock.received(bytes.count)
        receivedBytes += bytes.count
        if news.bytes.isEmpty { news.bytes.reserveCapacity(expectedBytes(atLeast: bytes.count)) }
        news.bytes.append(contentsOf: bytes)
        return bytes.count
    }

    func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch exchange.feed?.read(into: buffer) {
        case .bytes(let count): return count
        case .later:
            isUploadPaused = true
            pace?.pause()
            touch()
            return calotype_curl_readfunc_pause()
        case .end: return 0
        case .failed(let error):
            failure = error
            return calotype_curl_readfunc_abort()
        case nil: return calotype_curl_readfunc_abort()
        }
    }

    /// Decides whether the request may be written to the connection that curl has chosen or made.
    func takeConnection(localPort: Int32) -> Bool {
        let standing = surroundings.multi.sockets.use(localPort: localPort)
        if standing != .new, !isOnNewConnection, mayHoldUnaskedBytes(standing) {
            needsNewConnection = true
            return false
        }
        clock.connected(at: surroundings.turn.now)
        return true
    }

    /// Returns whether bytes may wait on the connection that curl would take for the beginning of the response (curl
    /// #10690).
    ///
    /// They are in the socket or, decrypted, in OpenSSL, where the socket does not show them. OpenSSL is only asked
    /// whether it has any: reading or peeking through it would change its state.
    private func mayHoldUnaskedBytes(_ standing: CurlSockets.Standing) -> Bool {
        guard let tls = calotype_curl_tls(easy) else { return standing == .speaking || exchange.origin.isSecure }
        // HTTP/2 says in each frame to which request it belongs, and may send some of its own at any time.
        if calotype_tls_speaks_http2(tls) { return false }
        // Below this TLS there may be that of a proxy, which cannot be asked.
        let isInsideAnother = exchange.origin.isSecure && route.proxy?.isSecure == true
        return standing == .speaking || SSL_has_pending(tls) != 0 || isInsideAnother
    }

    /// Room for a small body at once; a large one passes in pieces.
    private func expectedBytes(atLeast count: Int) -> Int {
        guard !hasHandedOverHead, let length = parser.head?.fields.contentLength else { return count }
        return max(count, min(length, surroundings.options.bodyBuffer))
    }

    private func touch() {
        guard !isTouched else { return }
        isTouched = true
        surroundings.turn.touch(self)
    }
}
