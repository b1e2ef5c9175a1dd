// Not of Apple's systems: the package swift-http-types, whose types have three names of CalotypeHTTP.

public struct HTTPFields: Hashable, Sendable {
    public init() {}
}

public struct HTTPRequest: Hashable, Sendable {
    public enum Method: Hashable, Sendable { case get, head }

    public var method: Method
    public var scheme: String?
    public var authority: String?
    public var path: String?
    public var headerFields: HTTPFields

    public init(
        method: Method, scheme: String?, authority: String?, path: String?, headerFields: HTTPFields = HTTPFields()
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.headerFields = headerFields
    }
}

public struct HTTPResponse: Hashable, Sendable {
    public var headerFields = HTTPFields()

    public init() {}
}
