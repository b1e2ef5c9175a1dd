package import CalotypeHTTP
internal import Foundation

/// A response whose body broke off, for a client that keeps the received bytes itself and requests the rest.
///
/// The rules are those by which the cache completes a stored part (RFC 9111 §3.3 and §3.4).
package struct InterruptedResponse: Sendable {
    /// The number of bytes of the body that the client has.
    package let received: Int
    /// The length of the whole body, in bytes.
    package let length: Int
    /// The fields that request the rest: Range and If-Range.
    package let conditions: HTTPFields

    private let request: HTTPRequest
    private let part: StoredResponse
    private let url: URL
    private let rules: CacheRules

    /// Returns `nil` if the rest cannot be requested: that requires a plain GET, a 200 with a strong ETag and a
    /// Content-Length, and a server that supports ranges.
    ///
    /// - Parameters:
    ///   - response: The response without content coding. The body is not read.
    ///   - received: The number of bytes of the body that the client has.
    ///   - requestTime: The time of the request, in seconds since 1970.
    package init?(
        _ response: HTTPResponse, to request: HTTPRequest, received: Int, requestTime: Double, under rules: CacheRules
    ) {
        let facts = RequestFacts(request.fields)
        guard request.method == .get, !request.hasContent, facts.range == nil, facts.ifRange == nil,
            !facts.isConditional, !facts.hasOriginConditions, response.fields.contentCodings.isEmpty
        else { return nil }
        let head = StoredResponse(
            url: "", status: response.status, fields: response.fields.endToEnd,
            requestTime: requestTime, responseTime: requestTime)
        guard let part = head.ended(bodyLength: received, isComplete: false), let conditions = rules.rest(of: part),
            let length = part.part?.completeLength
        else { return nil }
        (self.received, self.length, self.conditions) = (received, length, conditions)
        (self.request, self.part, self.rules) = (request, part, rules)
        url = response.url
    }

    /// Returns the head of the whole response if this response to a request with ``conditions`` has exactly the rest: a
    /// 206 from the same URL, with the same strong ETag, from the first missing byte to the end. Its body is the rest.
    package func completed(by rest: HTTPResponse, requestTime: Double, responseTime: Double) -> HTTPResponse? {
        guard rest.status == 206, rest.url == url,
            rest.contentLength.map({ $0 == length - received }) ?? true,
            case .append(let head) = rules.combine(
                part, with: rest.fields, for: request, requestTime: requestTime, responseTime: responseTime),
            head.ended(bodyLength: head.bodyLength, isComplete: true)?.isComplete == true
        else { return nil }
        var whole = rest
        whole.status = part.status
        whole.fields = head.fields
        whole.fields["Content-Length"] = "\(length)"
        // A cache in between knows the rest alone.
        whole.identity = nil
        return whole
    }
}
