import Foundation
import Testing

/// A list without names, as `find -print0` prints where it finds nothing.
struct EmptyListTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    @Test(arguments: [
        ["info", "--from", "-"], ["info", "--table", "--from", "-"], ["info", "--json", "-0", "--from", "-"],
        ["resize", "--from", "-", "-o", "out"], ["resize", "--from", "-", "-o", "out.png"],
        ["resize", "--from", "/dev/null", "-o", "-"], ["fetch", "--from", "-"],
        ["fetch", "--from", "-", "-o", "a.jpg"],
    ])
    func `there is nothing to do, which is no error`(_ words: [String]) async throws {
        let ending = try await calotype.start(words).ending()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.isEmpty && ending.errors.isEmpty)
    }

    @Test func `comments alone are an empty list, and an operand beside it counts`() async throws {
        try calotype.write("# nothing\n\n", to: "list")
        try calotype.write(Pictures.png(), to: "a.png")
        #expect(try await calotype("info", "--from", "list").status == 0)
        #expect(try await calotype("info", "a.png", "--from", "list").lines.count == 1)
    }
}
