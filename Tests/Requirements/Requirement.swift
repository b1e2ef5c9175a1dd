package import Testing

/// The requirements that a test proves, by the numbers that CONTRIBUTING.md explains. A failure shows them.
///
/// ```swift
/// @Test(.requirement("S3.16")) func `requests for one identifier that overlap do the work once`() async throws
/// ```
package struct Requirement: TestTrait, SuiteTrait {
    package let numbers: [String]

    package var comments: [Comment] { numbers.map { "proves \($0)" } }
}

extension Trait where Self == Requirement {
    package static func requirement(_ numbers: String...) -> Requirement { Requirement(numbers: numbers) }
}
