import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

/// The progress bar, which only a terminal gets.
struct ProgressTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
    }

    @Test func `a run of many images shows how far it is on a terminal, and clears the line in the end`() async throws {
        let gate = Gate()
        origin.on("/slow.jpg", .ok(Pictures.jpeg()).bodyHeld(by: gate, after: 500))
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let slow = origin.url("/slow.jpg").absoluteString
        let terminal = try Terminal(
            ["resize", "a.jpg", slow, "-o", "out", "--size", "20", "-j", "1"], in: calotype)
        await terminal.waitFor("1/2")
        gate.open()
        let (status, text) = await terminal.ending()
        #expect(status == 0, "\(text)")
        #expect(text.contains("[==") && text.contains("1/2"))
        #expect(text.contains("2 images written"))
    }

    @Test func `a wait that a server asks for is named, and is no progress`() async throws {
        origin.on("/busy.jpg", OriginReply(status: 503, fields: ["Retry-After": "60"]))
        for words in [["fetch"], ["resize", "-o", "out", "b.jpg"]] {
            let terminal = try Terminal(words + [origin.url("/busy.jpg").absoluteString, "-j", "2"], in: calotype)
            await terminal.waitFor("s, as the server asks")
            terminal.press("\u{3}")
            let (status, text) = await terminal.ending()
            #expect(status == 130)
            #expect(text.firstMatch(of: /\d+\/\d .* waiting [0-9]+ s, as the server asks/) != nil, "\(text)")
            #expect(!text.contains(" left"))
        }
    }

    @Test func `one image has no bar, and without a terminal there is none`() async throws {
        for name in ["a.jpg", "b.jpg"] { try calotype.write(Pictures.jpeg(), to: name) }
        let one = try Terminal(["resize", "a.jpg", "c.jpg", "--size", "20"], in: calotype)
        #expect(await one.ending().text == "c.jpg\r\n")
        let ending = try await calotype("resize", "a.jpg", "b.jpg", "-o", "out", "--size", "20")
        #expect(ending.status == 0 && ending.errors == "")
    }
}
