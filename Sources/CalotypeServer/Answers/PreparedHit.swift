import CalotypeHTTP
import CalotypeListener
import Foundation

/// A stored response, serialized once for all hits within a second. `negotiated` also has `Vary: Accept`.
final class PreparedHit: Sendable {
    let status: Int
    let outcome: ServerMetrics.Outcome
    /// The size of the body, in bytes.
    let bytes: Int
    /// The reason for the log, if the response is a failure.
    let reason: String?
    let source: SourceFacts?
    let plain: PreparedResponse
    let negotiated: PreparedResponse

    /// - Parameter response: A response whose body is complete in memory.
    init(_ response: HTTPResponse, lifetime: Int?, _ fallback: FallbackAnswer) {
        var response = response
        outcome = ServerMetrics.Outcome(response, worked: false)
        bytes = response.body.whole?.count ?? 0
        reason = response.fields.takeReason() ?? response.rangeFault
        source = response.fields.takeSource()
        response.fields.farMark = nil
        response.fields.state(lifetime, for: response.status)
        fallback.apply(to: &response)
        status = response.status
        func prepared(_ fields: HTTPFields) -> PreparedResponse {
            PreparedResponse(
                ListenerResponse(status: response.status, fields: fields, body: response.body.whole ?? Data()))
        }
        plain = prepared(response.fields)
        negotiated = prepared(response.fields.varyingByAccept)
    }
}

extension HTTPFields {
    /// Replaces the lifetime of a successful response.
    mutating func state(_ lifetime: Int?, for status: Int) {
        guard let lifetime, status < 300 || status == 304 else { return }
        self["Cache-Control"] = RenditionLifetime.seconds(lifetime).cacheControl
    }

    fileprivate var varyingByAccept: HTTPFields {
        var fields = self
        fields["Vary"] = "Accept"
        return fields
    }
}

extension HTTPResponse {
    /// The reason for a 416; otherwise `nil`.
    var rangeFault: String? { status == 416 ? "the range is outside of the result" : nil }
}
