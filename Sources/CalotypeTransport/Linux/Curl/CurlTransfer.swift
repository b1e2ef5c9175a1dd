import CCurl
import CalotypeHTTP
import Foundation

/// An exchange in curl, with its own easy handle. Only curl's thread uses it. Handles are not reused, not even after a
/// reset: before version 8.2, curl keeps a pointer to the last field of the previous response, and follows it into
/// freed memory if the next head begins with a folded line (curl #11101).
final class CurlTransfer {
    let easy: UnsafeMutableRawPointer
    let exchange: CurlExchange
    let slot: TransferSlot
    private(set) var isOver = false
    /// Whether the request was not written because bytes had arrived on the idle connection before it.
    private(set) var needsNewConnection = false

    let context: CurlContext
    let buffers: TransferBuffers
    let errorText = CurlErrorText()
    /// The request's fields, kept here because curl does not copy them.
    var fields: CurlFieldList?
    /// The addresses of the names on the route, kept here because curl does not copy them.
    let addresses: CurlFieldList
    let route: CurlRoute
    private let isOnNewConnection: Bool
    /// Whether the request has been written to a connection. If curl chooses another one, it sends the request again.
    private var isWritten = false
    private var hasRepeated = false

    private var parser: ResponseHeadParser
    private var news = ExchangeState.News()
    private var hasHandedOverHead = false
    private var isTouched = false
    private var isUploadPaused = false
    /// The time since which the server has sent nothing.
    private(set) var silentSince: UInt64
    private var hasHeard = false
    /// The last address of the origin that was refused when curl was about to connect to it.
    private var refusedAddress: String?
    private var hasOpenedSocket = false
    /// Whether the transfer has lent its slot because of a silent server.
    private var hasLent = false
    private var intake: BodyIntake
    /// The number of bytes of the body in the last call of curl that brought any.
    private var receivedInRound = (round: 0, bytes: 0)
    private var failure: TransportError?
    private(set) var clock: TransferClock
    private var pace: TransferPace?

    /// - Returns: `nil` if memory runs out.
    convenience init?(_ exchange: CurlExchange, _ slot: TransferSlot, in context: CurlContext) {
        let request = exchange.request
        let clock = TransferClock(request.timeouts, now: context.turn.now, spent: exchange.route.withLock(\.spent))
        // curl repeats a request if an idle connection turns out to be dead, which not every request allows.
        self.init(
            exchange, slot, in: context, clock, onNewConnection: !request.method.isSafe || request.upload != nil)
    }

    /// Creates a transfer for the same exchange, on a new connection and with the same deadlines.
    convenience init?(again transfer: CurlTransfer) {
        self.init(transfer.exchange, transfer.slot, in: transfer.context, transfer.clock, onNewConnection: true)
        (isWritten, hasRepeated) = (transfer.isWritten, transfer.hasRepeated)
    }

    private init?(
        _ exchange: CurlExchange, _ slot: TransferSlot, in context: CurlContext, _ clock: TransferClock,
        onNewConnection: Bool
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.exchange = exchange
        self.slot = slot
        self.context = context
        buffers = context.takeBuffers()
        self.clock = clock
        isOnNewConnection = onNewConnection
        silentSince = context.turn.now
        route = exchange.route.withLock { $0 }
        addresses = CurlFieldList(route.lines)
        let options = context.options
        pace = options.sharesPlaces ? TransferPace(window: options.paceWindow, now: context.turn.now) : nil
        parser = ResponseHeadParser(limit: context.options.headLimit)
        intake = BodyIntake(context.room)
        setUp()
        write(exchange.request, onNewConnection: onNewConnection)
    }

    deinit {
        curl_easy_cleanup(easy)
        context.giveBack(buffers)
    }

    static func of(_ easy: UnsafeMutableRawPointer) -> CurlTransfer? {
        calotype_curl_private(easy).map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the response's body waits for its reader.
    var isPaused: Bool { news.isPaused }
    /// Whether the transfer waits for its client to read the response or to continue the upload.
    var waitsForClient: Bool { news.isPaused || isUploadPaused }
    /// Whether the reason for lending the slot is gone.
    var mayTakeBack: Bool {
        switch slot.loan {
        case .waitsForClient: !waitsForClient
        case .isSilent: hasHeard
        case nil: false
        }
    }
    var isMultiplexed: Bool { parser.head?.version.hasPrefix("2") ?? false }
    var deadline: UInt64 { min(clock.deadline(isPaused: news.isPaused), pace?.deadline ?? .max) }

    // MARK: Calls of the loop

    func end(_ end: ExchangeState.End) {
        news.end = end
        touch()
    }

    /// - Returns: Whether the transfer was paused and must be resumed.
    func handOver() -> Bool {
        isTouched = false
        isOver = news.end != nil
        if isOver { news.slot = slot }
        if !hasHandedOverHead, let head = parser.head {
            news.head = head
            hasHandedOverHead = true
        }
        news.bytes = intake.handOver()
        let told = exchange.tell(news)
        intake.unread = told.unreadBytes
        news.head = nil
        news.bytes = Data()
        news.slot = nil
        return told.resumesTransfer
    }

    func noteResumed() {
        news.isPaused = false
        intake.unread = 0
        clock.resumed(at: context.turn.now)
        restartPace()
        restartSilence()
    }

    func noteUploadResumed() {
        isUploadPaused = false
        restartPace()
        restartSilence()
    }

    func restartSilence() { silentSince = context.turn.now }

    /// Notes that the slot was lent because of a silent server.
    func noteLent() { (hasHeard, hasLent) = (false, true) }

    /// Translates curl's result into the end of the exchange.
    func outcome(of result: CURLcode) -> ExchangeState.End {
        if result == CURLE_OK {
            return parser.head == nil ? .failed(.malformed("the response has no head")) : .complete
        }
        if let failure { return .failed(failure) }
        if let refusedAddress, !hasOpenedSocket, result == CURLE_COULDNT_CONNECT {
            return .failed(.addressRefused(exchange.origin.host.string, refusedAddress))
        }
        let failure = CurlFailure(
            result: result, text: errorText.text, host: exchange.origin.description,
            connectTimeout: exchange.request.timeouts.connect, hasHead: parser.head != nil,
            authorities: context.options.certificateAuthorities == nil ? .standard : nil)
        return .failed(failure.translated)
    }

    /// Returns the error for an exceeded timeout, or `nil` if there is time left.
    func timeout(at now: UInt64) -> TransportError? {
        // Uploaded bytes also show that the server is alive. Their number is read only after the idle timeout.
        let uploaded = clock.isIdle(at: now) ? Int(calotype_curl_uploaded(easy)) : 0
        return clock.timeout(
            at: now, isPaused: news.isPaused, uploaded: uploaded, host: exchange.origin.description)
    }

    /// Returns `true` if the transfer moves so few bytes that it should free its slot.
    func isSlow(at now: UInt64) -> Bool {
        guard let deadline = pace?.deadline, now >= deadline else { return false }
        return pace?.isSlow(at: now, bytes: movedBytes) ?? false
    }

    private var movedBytes: Int { intake.received + Int(calotype_curl_uploaded(easy)) }

    private func restartPace() {
        if pace != nil, !waitsForClient { pace?.restart(at: context.turn.now, bytes: movedBytes) }
    }

    // MARK: Calls of curl

    /// Opens a socket for one of the addresses. After a refusal, curl tries the next one.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        if route.proxy == nil, let known = IPAddress(address), !route.addresses.allows(known) {
            refusedAddress = known.description
            return -1
        }
        hasOpenedSocket = true
        return context.multi.sockets.open(address)
    }

    private func hear() {
        clock.heardFromServer(at: context.turn.now)
        silentSince = context.turn.now
        hasHeard = true
    }

    /// The number of unread bytes above which the transfer pauses. A transfer that has lent its slot may exceed the
    /// limit on transfers when it goes on, so it keeps little in memory.
    private var bodyBuffer: Int { hasLent ? min(buffers.waiting, 64 << 10) : buffers.waiting }

    func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        hear()
        let hadHead = parser.head != nil
        do throws(TransportError) {
            if let interim = try parser.take(line) { exchange.observer?(interim.status, interim.fields) }
        } catch {
            failure = error
            return 0
        }
        guard let head = parser.head else { return line.count }
        if !hadHead {
            // Read the body unchanged until the connection closes; by default, curl rejects an unknown coding.
            if head.isCodedByNobody { _ = calotype_curl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0) }
            restartPace()
        }
        touch()
        return line.count
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        hear()
        touch()
        // A body without a head has no reader, so that a paused transfer would never continue or time out.
        guard parser.head != nil else {
            failure = .malformed("the response's body begins before its head")
            return 0
        }
        guard intake.take(bytes, limit: bodyBuffer, expected: expectedBytes) else {
            news.isPaused = true
            clock.paused(at: context.turn.now)
            pace?.pause()
            return calotype_curl_writefunc_pause()
        }
        clock.received(bytes.count)
        noteFilling(bytes.count)
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

    /// Returns `true` if the request may be written to the connection that curl has chosen or opened.
    func takeConnection(localPort: Int32) -> Bool {
        let standing = context.multi.sockets.use(localPort: localPort)
        if standing != .new, !isOnNewConnection, mayHoldUnaskedBytes(standing) {
            needsNewConnection = true
            return false
        }
        if isWritten, !mayRepeat() {
            failure = TransportError(.connectionLost, "\(exchange.origin) closed the connection without a response")
            return false
        }
        isWritten = true
        clock.connected(at: context.turn.now)
        return true
    }

    /// Returns `true` if curl may send the request again. Without a count of all tries, it may once.
    private func mayRepeat() -> Bool {
        if let tries = exchange.request.tries { return tries.takeRepetition() }
        defer { hasRepeated = true }
        return !hasRepeated
    }

    /// Returns `true` if curl could mistake bytes that already wait on the connection for the beginning of the response
    /// (curl #10690). The bytes are in the socket or, decrypted, in OpenSSL. The function only queries whether OpenSSL
    /// has any: reading or peeking would change OpenSSL's state.
    private func mayHoldUnaskedBytes(_ standing: CurlSockets.Standing) -> Bool {
        guard let tls = calotype_curl_tls(easy) else { return standing == .speaking || exchange.origin.isSecure }
        // Each HTTP/2 frame names its request, and the server may send frames at any time.
        if calotype_tls_speaks_http2(tls) { return false }
        // The TLS session with a proxy may be below the origin's, and cannot be asked.
        let isInsideAnother = exchange.origin.isSecure && route.proxy?.isSecure == true
        return standing == .speaking || SSL_has_pending(tls) != 0 || isInsideAnother
    }

    /// The size of the whole body before its first bytes are handed over, or 0 if it is unknown.
    private var expectedBytes: Int { hasHandedOverHead ? 0 : parser.head?.fields.contentLength ?? 0 }

    /// Keeps the turn going if curl's buffer was about full: the socket then has more bytes, and they go to the reader
    /// together.
    private func noteFilling(_ count: Int) {
        let turn = context.turn
        turn.received += count
        // curl hands over a wide buffer in several calls.
        receivedInRound = (turn.round, receivedInRound.round == turn.round ? receivedInRound.bytes + count : count)
        guard receivedInRound.bytes >= buffers.receiving / 2 else { return }
        let rest = max(buffers.receiving - receivedInRound.bytes, 0)
        if intake.hasSpace(for: rest + buffers.receiving, limit: bodyBuffer) { turn.isFilling = true }
    }

    private func touch() {
        guard !isTouched else { return }
        isTouched = true
        context.turn.touched.append(self)
    }
}
