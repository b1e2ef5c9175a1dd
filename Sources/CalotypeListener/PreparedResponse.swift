import CalotypeHTTP

/// A response that is serialized once and can be sent any number of times, by several threads at once.
///
/// A stream, a file, and a body whose length is not the announced one cannot be prepared: they are serialized for each
/// request.
package final class PreparedResponse: Sendable {
    let response: ListenerResponse
    private let lasting: OutgoingResponse?

    package init(_ response: ListenerResponse) {
        self.response = response
        lasting = OutgoingResponse(lasting: response)
    }

    func outgoing(isHead: Bool, isHTTP10: Bool, adding fields: HTTPFields) -> OutgoingResponse? {
        guard var lasting else {
            var response = response
            for field in fields { response.fields.append(field.value, to: field.name) }
            return OutgoingResponse(response, isHead: isHead, isHTTP10: isHTTP10)
        }
        lasting.add(fields)
        if isHead { lasting.body = .none }
        return lasting
    }
}
