import CalotypeBase
import CalotypeHTTP

/// The state shared by all transfers of a transport. Only curl's thread uses it.
final class CurlContext {
    let options: CurlTransport.Options
    let multi: CurlMulti
    let turn = CurlTurn()
    /// The field list of a request without fields.
    let plainFields: CurlFieldList

    init(_ options: CurlTransport.Options, _ multi: CurlMulti) {
        self.options = options
        self.multi = multi
        plainFields = CurlFieldList(HTTPFields(), hasBody: false, isPlain: options.addsNothing)
    }
}

/// The state of one turn, an iteration of curl's loop.
final class CurlTurn {
    /// The time at which `curl_multi_perform` was called or, later, returned in this turn, in nanoseconds of a monotonic
    /// clock.
    var now = monotonicNanoseconds()
    /// The transfers whose events are passed to their exchanges at the end of the turn.
    var touched: [CurlTransfer] = []

    func takeTouched() -> [CurlTransfer] {
        defer { touched = [] }
        return touched
    }
}
