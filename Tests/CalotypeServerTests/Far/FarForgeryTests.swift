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

    // MARK: Fields

    static let fields = [
        "Set-Cookie: a=b", "Upgrade: h2c", "Transfer-Encoding: chunked", "Connection: close",
        "Location: https://a.example",
        "Vary: Accept", "X Y: z", "(: z", "ETag: \"other\"", "X-New: 1", "Content-Security-Policy: none",
        "Retry-After: 99999999999999999999", "Refresh: 0", "Content-Encoding: gzip",
    ]

    @Test(arguments: fields) func `a page with a field that no server writes is a miss, and stays`(
        field: String
    ) async throws {
        try await fleet.fill(try fleet.node())
        try fleet.forge { $0.insert(field, at: Self.firstField($0)) }
        try await expectMiss()
    }

    static let changes = [
        ("Content-Type: image/png", "Content-Type: text/html"),
        ("Content-Type: image/png", "Content-Type: image/svg+xml"),
        ("Cache-Control: ", "Cache-Control: \0"),
        ("X-Content-Type-Options: nosniff", "X-Content-Type-Options: sniff"), ("Content-Security-Policy: ", "Date: "),
    ]

    @Test(arguments: changes) func `a page with a value that no server writes is a miss, and stays`(
        from: String, to: String
    ) async throws {
        try await fleet.fill(try fleet.node())
        try fleet.forge { heads in
            let line = try #require(heads.firstIndex { $0.hasPrefix(from) })
            heads[line] = heads[line].replacing(from, with: to)
        }
        try await expectMiss()
    }

    @Test func `a page with a carriage return is damaged: it is a miss, and is removed`() async throws {
        try await fleet.fill(try fleet.node())
        try fleet.forge { heads in
            let line = try #require(heads.firstIndex { $0.hasPrefix("Cache-Control: ") })
            heads[line] += "\r"
        }
        let node = try fleet.node(), removals = fleet.objects.now.removals.count
        let answer = try await fleet.get(node)
        #expect(answer.status == 200 && node.decodes == 1 && node.far.hits == 0)
        await waitUntil { fleet.objects.now.removals.count == removals + 1 }
    }

    private static func firstField(_ heads: [String]) -> Int {
        (heads.firstIndex { $0.hasPrefix("times ") } ?? 0) + 2
    }

    private func expectMiss() async throws {
        let node = try fleet.node(), removals = fleet.objects.now.removals.count
        let answers = [try await fleet.get(node), try await fleet.get(node)]
        #expect(answers.allSatisfy { $0.status == 200 && $0.fields["Content-Type"] == "image/png" })
        let names: [CaselessString] = ["Set-Cookie", "Upgrade", "Location", "Refresh"]
        #expect(answers.allSatisfy { answer in names.allSatisfy { !answer.fields.contains($0) } })
        #expect(node.decodes == 1 && node.far.hits == 0)
        // A build that writes more fields may use the page.
        #expect(fleet.objects.now.objects.count == 1 && fleet.objects.now.removals.count == removals)
    }

    @Test func `the fields of a source that no request needs stay near`() async throws {
        var reply = WebServer.reply("public, max-age=10000")
        (reply.fields["Set-Cookie"], reply.fields["X-Secret"]) = ("a=b", "c")
        reply.fields["Last-Modified"] = "Thu, 01 Jan 2026 00:00:00 GMT"
        let served = reply
        fleet.origin.on("/images/a.jpg") { _ in served }
        let first = try await fleet.fill(try fleet.node())
        let page = try #require(fleet.objects.now.objects.values.first)
        func has(_ text: String) -> Bool { page.firstRange(of: Data(text.utf8)) != nil }
        #expect(has("Last-Modified: ") && !has("Set-Cookie: ") && !has("X-Secret: "))
        let node = try fleet.node()
        #expect(try await fleet.get(node).body == first.body && node.decodes == 0)
    }

    // MARK: Versions

    @Test func `a hard purge of a source deletes its pages of earlier versions, too`() async throws {
        let source: ByteString = "https://example.com/a.jpg"
        let store = FarStore(objects: fleet.objects, prefix: "p")
        for version in 1...FarPage.version {
            let name = store.name("\(FarName.folder(ofSource: source, version: version))/a")
            fleet.objects.update { $0.objects[name] = Data() }
        }
        fleet.objects.update { $0.objects["p/1/other/a"] = Data() }
        try await store.remove(source: source)
        #expect(Array(fleet.objects.now.objects.keys) == ["p/1/other/a"])
    }
}
