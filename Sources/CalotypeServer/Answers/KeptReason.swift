import CalotypeBase
import CalotypeHTTP

// The reason of a failure that the cache of results stores for some seconds. It passes through the cache in a field of
// the response, so that a stored failure is logged like a new one. It never reaches a client.

extension HTTPFields {
    private static let reasonName: CaselessString = "Calotype-Reason"

    mutating func keep(reason: String) {
        self[Self.reasonName] = ByteString(reason.prefix(1000)).percentEncoded {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "%")
        }
    }

    /// Removes the reason, and returns it.
    mutating func takeReason() -> String? {
        guard let reason = self[Self.reasonName] else { return nil }
        self[Self.reasonName] = nil
        return reason.percentDecoded?.string
    }
}
