public import CalotypeHTTP
import Foundation

/// Sends interim responses (RFC 9110 §15.2) before the answer.
public struct InterimResponder: Sendable {
    private let exchange: Exchange
    private let isWanted: Bool

    /// - Parameter version: the client's. HTTP/1.0 knows no interim responses (RFC 9110 §15.2).
    init(_ exchange: Exchange, version: String) {
        self.exchange = exchange
        isWanted = version != "1.0"
    }

    /// Writes it to the client at once, or as soon as its request has come whole.
    ///
    /// Left out where the client's version knows none, where the status is not from 102 to 199 (the listener itself
    /// says 100), where a field cannot be sent, and where more than 16 KiB of them wait.
    public func send(status: Int, fields: HTTPFields = [:]) {
        guard isWanted, (102...199).contains(status) else { return }
        var head: ByteString = "HTTP/1.1 \(status) \(reason(status))\r\n"
        for field in fields {
            guard field.name.isHTTPToken, field.value.withBytes({ $0.allSatisfy { $0 >= 0x20 || $0 == 0x09 } }) else {
                return
            }
            head.append("\(field.name): \(field.value)\r\n")
        }
        head.append("\r\n")
        exchange.sendInterim(Data(head.bytes))
    }

    private func reason(_ status: Int) -> String {
        switch status {
        case 102: "Processing"
        case 103: "Early Hints"
        default: "Interim"
        }
    }
}
