import CalotypeBase
import CalotypeHTTP

/// Who asks for a rendition: the exchanges with origins and the queues count for this client.
struct RenditionAsker: Sendable {
    /// The network of the client; empty if no client asks.
    var network: ByteString = ""
    /// The client's `traceparent` (W3C Trace Context), which the requests to origins repeat; `nil` without a valid one.
    var trace: ByteString?
}

extension HTTPFields {
    /// The value of `traceparent`, or `nil` unless there is one in the form of version 00.
    var trace: ByteString? {
        let values = values(of: "traceparent")
        guard values.count == 1, let value = values.first else { return nil }
        let parts = value.split(separator: UInt8(ascii: "-"))
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
        guard parts.map(\.count) == [2, 32, 16, 2], parts[0] == "00", parts.joined().bytes.allSatisfy(isDigit),
            !parts[1...2].contains(where: { $0.bytes.allSatisfy { $0 == 0x30 } })
        else { return nil }
        return value
    }
}
