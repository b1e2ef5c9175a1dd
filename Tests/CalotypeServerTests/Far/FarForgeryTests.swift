import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// Pages that a writer of the bucket has forged, with a digest that fits.
struct FarForgeryTests {
    private let fleet: FarFleet

    init() throws {
        fleet = try FarFleet()
        fleet.origin.on("/images/a.jpg") { _ in WebServer.reply("max-age=10000") }
    }

    // MARK: Numbers

    static let numbers: [ByteString] = [
        "0", "1", "4102444800", "9223372036854775807", "9223372036854775808", "18446744073709551616", "-1",
    ]

    /// Each part of the first line, whose numbers are the time, the length of the heads and that of the body.
    @Test(arguments: numbers, 1...3) func `a page with any number ends no node, and is not sent`(
        number: ByteString, place: Int
    ) async throws {
        try await fleet.fill(try fleet.node())
        try fleet.forge(place: place, number)
        let node = try fleet.node()
        // The first answer is made and stored near, and the second looks at the time of writing.
        for _ in 0..<3 { #expect(try await fleet.get(node).status == 200) }
        #expect(node.decodes == 1)
    }

    static let times = ["1e308", "-1e308", "inf", "nan", "4102444800", "9223372036854775807", "-62167219201", ""]

    @Test(arguments: times, [true, false]) func `a head with any time ends no node, and is not sent`(
        time: String, isFirst: Bool
    ) async throws {
        try await fleet.fill(try fleet.node())
        try fleet.forge { heads in
            // The first line is the result's, the second that of the source.
            for line in heads.indices.filter({ heads[$0].hasPrefix("times ") }) {
                let words = heads[line].split(separator: " ")
                heads[line] = isFirst ? "times \(time) \(words[2])" : "times \(words[1]) \(time)"
            }
        }
        let node = try fleet.node()
        for _ in 0..<3 { #expect(try await fleet.get(node).status == 200) }
        #expect(node.decodes == 1)
    }

    @Test(arguments: ["0", "-1e9", "-62167219200"]) func `a head from long ago ends no node`(time: String) async throws
    {
        try await fleet.fill(try fleet.node())
        try fleet.forge { heads in
            for line in heads.indices where heads[line].hasPrefix("times ") { heads[line] = "times \(time) \(time)" }
        }
        let node = try fleet.node()
        for _ in 0..<3 { #expect(try await fleet.get(node).status == 200) }
    }

    @Test func `a time of writing in the near store that is ahead has the result written again`() throws {
        let far = try #require(
            try fleet.node { $0.wallClock = WallClock { 1_767_225_600 } }.server.far)
        for mark in [Int.max, 4_102_444_800] {
            let variant = FarPageTests.result().marked(mark)
            let writes = Locked(0)
            for _ in 0..<3 { far.noteUse(of: variant) { writes.withLock { $0 += 1 } } }
            #expect(writes.withLock { $0 } == 1)
        }
    }
}
