import CMicroHTTPD

/// A response that is made once and sent any number of times, by several threads at the same time.
///
/// To give the same answer again takes a fraction of the time then. What cannot be made beforehand (a stream, a status
/// without a body) is made for each request as ever, as are answers to HEAD and a connection's last.
// Unchecked: the library counts references to its response under a lock, and only reads the rest.
public final class PreparedResponse: @unchecked Sendable {
    let response: ListenerResponse
    private let lasting: Reply?

    public init(_ response: ListenerResponse) {
        self.response = response
        lasting = response.closesConnection ? nil : ResponseWriter(response: response, isHead: false).makeLasting()
    }

    /// - Returns: nil where it has to be made anew.
    func queue(on connection: OpaquePointer) -> MHD_Result? {
        lasting?.queue(on: connection, status: response.status)
    }
}
