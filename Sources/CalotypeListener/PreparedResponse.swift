/// A response that is made once and sent any number of times, by several threads at the same time.
///
/// Sending the same response again takes a fraction of the time then. What cannot be made beforehand (a stream, a body of
/// another length than announced) is made for each request.
package final class PreparedResponse: Sendable {
    let response: ListenerResponse
    private let lasting: OutgoingResponse?

    package init(_ response: ListenerResponse) {
        self.response = response
        lasting = OutgoingResponse(lasting: response)
    }

    func outgoing(isHead: Bool, isHTTP10: Bool) -> OutgoingResponse? {
        guard var lasting else { return OutgoingResponse(response, isHead: isHead, isHTTP10: isHTTP10) }
        if isHead { lasting.body = .none }
        return lasting
    }
}
