public import CalotypeBase

/// A request method: any token, case-sensitive. The common methods of RFC 9110 §9.3 have constants.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    public let rawValue: ByteString

    public init(rawValue: ByteString) {
        self.rawValue = rawValue
    }

    /// GET.
    public static let get = HTTPMethod(rawValue: "GET")
    /// HEAD.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// POST.
    public static let post = HTTPMethod(rawValue: "POST")
    /// PUT.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// DELETE.
    public static let delete = HTTPMethod(rawValue: "DELETE")

    /// Whether the method is safe (RFC 9110 §9.2.1): such a request changes nothing on the server, and may be repeated.
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE": true
        default: false
        }
    }
}
