public struct FilePath: Hashable, Sendable, ExpressibleByStringLiteral {
    public var string: String

    public init(_ string: String) { self.string = string }

    public init(stringLiteral: String) { string = stringLiteral }
}
