import CalotypeTesting
import Dispatch
import Foundation
import Testing

@testable import calotype_command

struct LineWriterTests {
    @Test func `lines are written in order`() async {
        let written = Log<String>()
        let writer = LineWriter { written.add($0) }
        for number in 0..<100 { writer.add("\(number)") }
        await writer.end()
        #expect(written.entries == (0..<100).map(String.init))
    }

    @Test func `a reader that stalls loses lines, which are counted`() async {
        let written = Log<String>()
        let reader = DispatchSemaphore(value: 0)
        let writer = LineWriter {
            if written.count == 0 { reader.wait() }
            written.add($0)
        }
        // The first one waits as well until it is written.
        for number in 0..<LineWriter.limit + 7 { writer.add("\(number)") }
        reader.signal()
        await writer.end()
        let lines = written.entries
        #expect(lines.filter { $0.hasPrefix("{") } == [#"{"lost":7}"#])
        #expect(lines.filter { !$0.hasPrefix("{") } == (0..<LineWriter.limit).map(String.init))
    }

    @Test func `control characters in a line of JSON are escaped, and stay valid JSON`() throws {
        let text = "a\u{85}\u{202E}\u{1B}\n\u{e4}"
        let line = JSON.printableLine(["text": text])
        #expect(Console.printable(line) == line && line.contains("\u{e4}"))
        #expect(try JSONDecoder().decode([String: String].self, from: Data(line.utf8)) == ["text": text])
    }
}
