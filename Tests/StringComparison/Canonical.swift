// Scripts/check-strings compiles this file into each module that handles data from a network or a file: its
// declarations hide the standard library's, so that every use of one becomes an error.
//
// The hidden functions compare by Unicode's rules: U+212A is "K", U+037E is ";", "é" has two spellings.

extension String {
    @available(*, deprecated, message: "compare ByteString or CaselessString")
    static func == (left: String, right: String) -> Bool { true }
    @available(*, deprecated, message: "compare ByteString or CaselessString")
    static func != (left: String, right: String) -> Bool { true }
    @available(*, deprecated, message: "compare ByteString or CaselessString")
    static func < (left: String, right: String) -> Bool { true }
    @available(*, deprecated, message: "ask ByteString")
    func hasPrefix(_ prefix: String) -> Bool { true }
    @available(*, deprecated, message: "ask ByteString")
    func hasSuffix(_ suffix: String) -> Bool { true }
    @available(*, deprecated, message: "use lowercasedASCII of ByteString")
    func lowercased() -> String { "" }
    @available(*, deprecated, message: "fold ASCII letters alone")
    func uppercased() -> String { "" }
}

extension Substring {
    @available(*, deprecated, message: "compare ByteString or CaselessString")
    static func == (left: Substring, right: Substring) -> Bool { true }
    @available(*, deprecated, message: "compare ByteString or CaselessString")
    static func != (left: Substring, right: Substring) -> Bool { true }
    @available(*, deprecated, message: "ask ByteString")
    func hasPrefix(_ prefix: String) -> Bool { true }
    @available(*, deprecated, message: "ask ByteString")
    func hasSuffix(_ suffix: String) -> Bool { true }
    @available(*, deprecated, message: "use lowercasedASCII of ByteString")
    func lowercased() -> String { "" }
}

extension StringProtocol {
    @available(*, deprecated, message: "compare ByteString or CaselessString")
    static func == <Other: StringProtocol>(left: Self, right: Other) -> Bool { true }
    @available(*, deprecated, message: "ask ByteString")
    func contains(_ part: String) -> Bool { true }
    @available(*, deprecated, message: "ask ByteString")
    func contains(_ character: Character) -> Bool { true }
    @available(*, deprecated, message: "split ByteString")
    func split(
        separator: Character, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] { [] }
}

extension Character {
    @available(*, deprecated, message: "compare bytes")
    static func == (left: Character, right: Character) -> Bool { true }
    @available(*, deprecated, message: "compare bytes")
    static func != (left: Character, right: Character) -> Bool { true }
}

extension Optional where Wrapped == String {
    @available(*, deprecated, message: "compare ByteString or CaselessString")
    static func == (left: String?, right: String?) -> Bool { true }
    @available(*, deprecated, message: "compare ByteString or CaselessString")
    static func != (left: String?, right: String?) -> Bool { true }
    // Allowed.
    static func == (left: String?, right: _OptionalNilComparisonType) -> Bool { true }
    static func != (left: String?, right: _OptionalNilComparisonType) -> Bool { true }
}

extension Optional where Wrapped == Character {
    @available(*, deprecated, message: "compare bytes")
    static func == (left: Character?, right: Character?) -> Bool { true }
    @available(*, deprecated, message: "compare bytes")
    static func != (left: Character?, right: Character?) -> Bool { true }
    // Allowed.
    static func == (left: Character?, right: _OptionalNilComparisonType) -> Bool { true }
    static func != (left: Character?, right: _OptionalNilComparisonType) -> Bool { true }
}

@available(*, deprecated, message: "switch over ByteString or CaselessString")
func ~= (pattern: String, value: String) -> Bool { true }
@available(*, deprecated, message: "switch over ByteString or CaselessString")
func ~= (pattern: String, value: String?) -> Bool { true }
@available(*, deprecated, message: "switch over bytes")
func ~= (pattern: Character, value: Character) -> Bool { true }

extension Sequence where Element == String {
    @available(*, deprecated, message: "use elements of type ByteString or CaselessString")
    func contains(_ element: String) -> Bool { true }
    @available(*, deprecated, message: "use elements of type ByteString or CaselessString")
    func sorted() -> [String] { [] }
}

extension Sequence where Element == Substring {
    @available(*, deprecated, message: "use elements of type ByteString or CaselessString")
    func contains(_ element: Substring) -> Bool { true }
}

extension Collection where Element == String {
    @available(*, deprecated, message: "use elements of type ByteString or CaselessString")
    func firstIndex(of element: String) -> Index? { nil }
}

extension Set where Element == String {
    @available(*, deprecated, message: "use elements of type ByteString or CaselessString")
    func contains(_ element: String) -> Bool { true }
    @available(*, deprecated, message: "use elements of type ByteString or CaselessString")
    func insert(_ element: String) -> (inserted: Bool, memberAfterInsert: String) { (true, element) }
}

extension Dictionary where Key == String {
    @available(*, deprecated, message: "use keys of type ByteString or CaselessString")
    subscript(_ key: String) -> Value? { nil }
}
