import CalotypeHTTP

/// The state that all transfers of a transport share. Lives on curl's thread.
final class CurlSurroundings {
    let options: CurlTransport.Options
    let multi: CurlMulti
    let turn = CurlTurn()
    /// The fields of a request that has none.
    let plainFields: CurlFieldList

    init(_ options: CurlTransport.Options, _ multi: CurlMulti) {
        self.options = options
        self.multi = multi
        plainFields = CurlFieldList(HTTPFields(), hasBody: false, isPlain: options.addsNothing)
    }
}

/// The state of one turn of the loop.
final class CurlTurn {
    /// When curl's part of the turn ended.
    var now = monotonicNanoseconds()
    private var touched: [CurlTransfer] = []

    /// Remembers that there is something to hand over.
    func touch(_ transfer: CurlTransfer) {
        touched.append(transfer)
    }

    func takeTouched() -> [CurlTransfer] {
        defer { touched = [] }
        return touched
    }
}
