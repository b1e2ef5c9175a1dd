import CalotypeBase
import CalotypeHTTP

/// The state shared by all transfers of a transport. Only curl's thread uses it.
final class CurlContext {
    let options: CurlTransport.Options
    let multi: CurlMulti
    let turn = CurlTurn()
    /// The field list of a request without fields.
    let plainFields: CurlFieldList
    /// The memory for large pieces of bodies, or `nil` if all bodies keep to `bodyBuffer`.
    let room: PieceRoom?
    /// The number of transfers with wide buffers.
    private var wide = 0
    private static let wideLimit = 32

    init(_ options: CurlTransport.Options, _ multi: CurlMulti, _ room: PieceRoom?) {
        self.options = options
        self.multi = multi
        self.room = room
        plainFields = CurlFieldList(HTTPFields(), hasBody: false, isPlain: options.addsNothing)
    }

    /// Returns the buffers of a new transfer. With large pieces, the first transfers have wide ones, so that a long body takes
    /// fewer calls of the system; the others keep to the options.
    func takeBuffers() -> TransferBuffers {
        guard room != nil, wide < Self.wideLimit else { return TransferBuffers(options) }
        wide += 1
        return .wide
    }

    func giveBack(_ buffers: TransferBuffers) {
        if buffers.isWide { wide -= 1 }
    }
}

/// The sizes of a transfer's buffers for a response's body, in bytes.
struct TransferBuffers {
    /// The size of curl's buffer.
    let receiving: Int
    /// The number of bytes that may wait for the reader, outside of large pieces.
    let waiting: Int
    let isWide: Bool

    static let wide = TransferBuffers(receiving: 64 << 10, waiting: 64 << 10, isWide: true)

    private init(receiving: Int, waiting: Int, isWide: Bool) {
        (self.receiving, self.waiting, self.isWide) = (receiving, waiting, isWide)
    }

    init(_ options: CurlTransport.Options) {
        self.init(
            receiving: min(max(options.bodyBuffer / 2, 16 << 10), 64 << 10), waiting: options.bodyBuffer, isWide: false)
    }
}

/// The state of one turn, an iteration of curl's loop.
final class CurlTurn {
    /// The time at which `curl_multi_perform` was called or, later, returned in this turn, in nanoseconds of a monotonic
    /// clock.
    var now = monotonicNanoseconds()
    /// The number of calls of `curl_multi_perform` so far.
    var round = 0
    /// The number of bytes that bodies have received in this turn.
    var received = 0
    /// Whether a body has more bytes in its socket, by the look of the last ones, and room for them.
    var isFilling = false
    /// The transfers whose events are passed to their exchanges at the end of the turn.
    var touched: [CurlTransfer] = []

    func takeTouched() -> [CurlTransfer] {
        defer { touched = [] }
        return touched
    }
}
