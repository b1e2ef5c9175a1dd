package import CalotypeHTTP

/// A sender of interim responses (RFC 9110 §15.2) before the final one.
package struct InterimResponder: Sendable {
    private let exchange: ClientExchange
    private let isWanted: Bool

    /// - Parameter isHTTP10: Whether the client uses HTTP/1.0, which has no interim responses (RFC 9110 §15.2).
    init(_ exchange: ClientExchange, isHTTP10: Bool) {
        self.exchange = exchange
        isWanted = !isHTTP10
    }

    /// Sends an interim response to the client at once.
    ///
    /// Drops the response if the client uses HTTP/1.0, if the status is not from 102 to 199 (the listener itself sends
    /// 100), if a field is invalid, or if more than 16 KiB of interim responses would wait behind the one being sent.
    package func send(status: Int, fields: HTTPFields = [:]) {
        guard isWanted, (102...199).contains(status), fields.allSatisfy(\.canBeSent) else { return }
        var head = HeadWriter(status: status)
        for field in fields { head.add(field) }
        head.end()
        exchange.sendInterim(head.bytes)
    }
}
