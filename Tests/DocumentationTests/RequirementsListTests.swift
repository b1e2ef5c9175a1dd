import Foundation
import Testing

/// The numbers of `Documentation/Requirements.md` against those in the traits and comments of all tests.
struct RequirementsListTests {
    private let cited: Set<String>
    private let listed: [Line]

    private struct Line {
        let number: String
        let isOpen: Bool
    }

    init() throws {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let list = repository.appending(path: "Documentation/Requirements.md")
        listed = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard let match = line.firstMatch(of: #/^- \*\*([A-Z][0-9.]*)\*\* /#) else { return nil }
            return Line(number: String(match.1), isOpen: line.hasSuffix("*open*"))
        }
        let tests = try #require(
            FileManager.default.enumerator(at: repository.appending(path: "Tests"), includingPropertiesForKeys: nil))
        cited = try tests.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.reduce(into: []) {
            $0.formUnion(Self.numbers(in: try String(contentsOf: $1, encoding: .utf8)))
        }
    }

    /// Returns the numbers in traits and in comments that fill a line.
    private static func numbers(in source: String) -> Set<String> {
        let traits = source.matches(of: #/\.requirement\(([^)]*)\)/#).map { String($0.1) }
        let comments = source.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("//") }.map(String.init)
        return Set((traits + comments).flatMap(numbers(inText:)))
    }

    /// Returns the numbers of a text; a range such as "3–5" has three.
    private static func numbers(inText text: String) -> [String] {
        text.matches(of: #/\b([SD][0-4]\.|[BVC])([0-9]{1,2})(?:–([SD][0-4]\.|[BVC])([0-9]{1,2}))?\b/#).flatMap {
            match in
            let first = Int(match.2) ?? 0
            let last = match.4.flatMap { Int($0) } ?? first
            return (first...max(first, last)).map { "\(match.1)\($0)" }
        }
    }

    @Test func `each number that a test names is in the list`() {
        #expect(cited.count > 200)
        #expect(cited.subtracting(listed.map(\.number)).sorted() == [])
    }

    @Test func `each number of the list has a test or is marked open, and none has both`() {
        #expect(listed.filter { !$0.isOpen && !cited.contains($0.number) }.map(\.number) == [])
        #expect(listed.filter { $0.isOpen && cited.contains($0.number) }.map(\.number) == [])
    }

    @Test func `no number is in the list twice`() {
        #expect(Dictionary(grouping: listed, by: \.number).filter { $0.value.count > 1 }.keys.sorted() == [])
    }
}
