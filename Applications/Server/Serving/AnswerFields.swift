import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import Foundation

/// The header fields of every response: the request's ID and, if scripts of other origins may read responses, the field
/// that permits it.
struct AnswerFields: Sendable {
    /// Access-Control-Allow-Origin, or `nil` if no script of another origin may read responses.
    private let permission: HTTPFields?

    /// - Parameter scriptOrigin: The origin whose scripts may read responses; "*" for all origins, `nil` for no other.
    init(scriptOrigin: ByteString?) {
        permission = scriptOrigin.map { ["Access-Control-Allow-Origin": $0] }
    }

    func fields(for request: ListenerRequest) -> HTTPFields {
        var fields = permission ?? [:]
        fields["X-Request-ID"] = request.givenID ?? ByteString(String(UInt64.random(in: .min ... .max), radix: 16))
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
