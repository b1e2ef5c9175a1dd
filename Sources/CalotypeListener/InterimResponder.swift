package import CalotypeHTTP

/// Sends interim responses (RFC 9110 §15.2) before the answer.
package struct InterimResponder: Sendable {
    private let exchange: ClientExchange
    private let isWanted: Bool

    /// - Parameter isHTTP10: whether the client speaks HTTP/1.0, which has no interim responses (RFC 9110 §15.2).
    init(_ exchange: ClientExchange, isHTTP10: Bool) {
        self.exchange = exchange
        isWanted = !isHTTP10
    }

    /// Sends the response to the client at once.
    ///
    /// It is left out where the client's version has none, where the status is not from 102 to 199 (the listener itself
    /// sends 100), where a field cannot be sent, and while more than 16 KiB of them wait for the client.
    package func send(status: Int, fields: HTTPFields = [:]) {
        guard isWanted, (102...199).contains(status), fields.allSatisfy(\.canBeSent) else { return }
        var head = HeadWriter(status: status)
        for field in fields { head.add(field) }
        head.end()
        exchange.sendInterim(head.bytes)
    }
}
