package import CalotypeHTTP

/// How a stored response answers a request with conditions or a range of its own. RFC 9111 §4.3.2, RFC 9110 §13 and §14.
///
/// Fields are complete, Age and Content-Length included. The body of an answer to HEAD is left out.
package enum ClientAnswer: Hashable, Sendable {
    /// The stored status, and the whole stored body.
    case whole(HTTPFields)
    /// 304, no body.
    case notModified(HTTPFields)
    /// 206, and these bytes of the stored body.
    case part(Range<Int>, HTTPFields)
    /// 416, no body.
    case unsatisfiable(HTTPFields)

    /// Which of the stored bytes are in it; `nil` where it has no body.
    func stored(of head: StoredResponse) -> Range<Int>? {
        switch self {
        case .whole: 0..<head.bodyLength
        case .part(let range, _): range
        case .notModified, .unsatisfiable: nil
        }
    }
}
