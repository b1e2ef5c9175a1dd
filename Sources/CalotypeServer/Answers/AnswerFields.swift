import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import Foundation

/// The header fields of every response: the request's ID and, if scripts of other origins may read responses, the field
/// that permits it.
struct AnswerFields: Sendable {
    /// Access-Control-Allow-Origin, or `nil` if no script of another origin may read responses.
    private let permission: HTTPFields?
    private let ids = RequestIDs()

    /// - Parameter scriptOrigin: The origin whose scripts may read responses; "*" for all origins, `nil` for no other.
    init(scriptOrigin: ByteString?) {
        permission = scriptOrigin.map { ["Access-Control-Allow-Origin": $0] }
    }

    /// Returns the same fields each time for one request.
    func fields(for request: ListenerRequest) -> HTTPFields {
        var fields = permission ?? [:]
        fields["X-Request-ID"] = request.givenID ?? ids[request.id]
        return fields
    }

    /// Returns the response to methods other than GET and HEAD: 204 to OPTIONS if scripts may read responses, else 405.
    func answer(toMethod method: HTTPMethod) -> ListenerResponse {
        guard method.rawValue == "OPTIONS", permission != nil else {
            var refusal = ListenerResponse(ServerError(405, "only GET and HEAD are answered here"))
            refusal.fields["Allow"] = "GET, HEAD"
            return refusal
        }
        return ListenerResponse(
            status: 204,
            fields: [
                "Allow": "GET, HEAD, OPTIONS", "Access-Control-Allow-Methods": "GET, HEAD",
                "Access-Control-Allow-Headers": "*", "Access-Control-Max-Age": "86400",
            ])
    }
}

/// Identifiers that no other server gives. A random number for each would be a system call.
private final class RequestIDs: Sendable {
    private let start = UInt64.random(in: .min ... .max)

    /// - Parameter request: The number of the request, which no other request to the listener has.
    subscript(request: UInt64) -> ByteString {
        // SplitMix64 (Steele, Lea and Flood, 2014), whose 2⁶⁴ numbers all differ.
        var number = start &+ request &* 0x9E37_79B9_7F4A_7C15
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        let digits = String(number ^ (number >> 31), radix: 16)
        return ByteString(String(repeating: "0", count: 16 - digits.utf8.count) + digits)
    }
}

extension ListenerRequest {
    /// The client's X-Request-ID if it is safe in logs, otherwise `nil`.
    fileprivate var givenID: ByteString? {
        let values = fields.values(of: "X-Request-ID")
        guard values.count == 1, let id = values.first, (1...128).contains(id.count) else { return nil }
        return id.withBytes { $0.allSatisfy(\.isIDCharacter) } ? id : nil
    }
}

extension UInt8 {
    fileprivate var isIDCharacter: Bool { isAlphanumeric || "-._~+/=:@".utf8.contains(self) }
}
