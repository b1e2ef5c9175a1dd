/// A request method. Any token is one; those of RFC 9110 §9.3 have names.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let get = HTTPMethod(rawValue: "GET")
    public static let head = HTTPMethod(rawValue: "HEAD")
    public static let post = HTTPMethod(rawValue: "POST")
    public static let put = HTTPMethod(rawValue: "PUT")
    public static let delete = HTTPMethod(rawValue: "DELETE")

    /// RFC 9110 §9.2.1: asks for nothing but an answer, so that it may be sent again.
    public var isSafe: Bool { [.get, .head].contains(self) || ["OPTIONS", "TRACE"].contains(rawValue) }
}
