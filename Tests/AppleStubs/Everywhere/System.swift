public struct FilePath: Hashable, Sendable {
    public var string: String

    public init(_ string: String) { self.string = string }
}
