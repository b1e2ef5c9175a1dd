import Testing

@testable import calotype_command

/// Section 8: a progress bar with count, bytes, rate and time left.
struct ProgressLineTests {
    @Test func `the line has a bar, the count, bytes, rate and the time left`() {
        let line = ProgressLine(total: 4, finished: 1, bytes: 2_000_000, seconds: 2)
        #expect(
            line.text(width: 80)
                == "[=======                      ]  1/4  2.0 MB  1.0 MB/s  0:06 left".replacing(
                    "[=======                      ]", with: bar(10, of: 40)))
    }

    private func bar(_ filled: Int, of cells: Int) -> String {
        "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: cells - filled) + "]"
    }

    @Test func `parts of images under way count`() {
        #expect(ProgressLine(total: 4, finished: 1, partial: 1, seconds: 1).fraction == 0.5)
        #expect(ProgressLine(total: 4, finished: 4, partial: 3, seconds: 1).fraction == 1)
        #expect(ProgressLine(total: 0, finished: 0, seconds: 0).fraction == 1)
    }

    @Test func `before there is a pace nothing is foretold`() {
        let text = ProgressLine(total: 4, finished: 0, seconds: 0).text(width: 80)
        #expect(!text.contains("left"))
        #expect(!text.contains("/s"))
    }

    @Test func `a wait that a server asks for stands in the place of the rate and the time left`() {
        let line = ProgressLine(total: 4, finished: 1, bytes: 2_000_000, seconds: 2, wait: 19.2)
        #expect(line.text(width: 80).hasSuffix("]  1/4  2.0 MB  waiting 20 s, as the server asks"))
        #expect(line.text(width: 40) == "1/4  2.0 MB  waiting 20 s, as the serve")
    }

    @Test func `failures are counted`() {
        #expect(ProgressLine(total: 4, finished: 2, failed: 1, seconds: 1).text(width: 80).contains("2/4 (1 failed)"))
    }

    @Test(arguments: [0, 1, 5, 20, 40, 80, 200])
    func `it fits into one line of any terminal`(_ width: Int) {
        let line = ProgressLine(total: 1000, finished: 999, failed: 12, bytes: 123_456_789, seconds: 1000)
        #expect(line.text(width: width).count <= max(width - 1, 0))
    }

    @Test(arguments: [40, 60, 80, 81, 200])
    func `the time left is never cut`(_ width: Int) {
        for finished in 1..<100 {
            let line = ProgressLine(total: 100, finished: finished, bytes: 1234 * finished, seconds: 10).text(
                width: width)
            #expect(line.hasSuffix(" left"), "\(line)")
        }
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
        (1_500_000_000, "1.5 GB"), (Int.max, "9223.4 PB"),
    ])
    func `bytes are written in powers of ten`(_ count: Int, _ text: String) {
        #expect(Amounts.bytes(count) == text)
    }

    @Test(arguments: [(0.2, "0:01"), (7, "0:07"), (765, "12:45"), (3723, "1:02:03"), (1e12, "99:59:59")])
    func `time left is written like a clock`(_ seconds: Double, _ text: String) {
        #expect(Amounts.clock(seconds) == text)
    }

    @Test func `a table is as wide as its cells, numbers at the right, no space at line ends`() {
        var table = Table(["what", "n"], rightAligned: [1])
        table.add(["a longer cell", "12"])
        table.add(["b", "345"])
        #expect(
            table.lines == [
                "what             n", "─────────────  ───", "a longer cell   12", "b              345",
            ])
    }

    @Test func `hidden characters are shown, not obeyed`() {
        #expect(Console.printable("a\u{1B}[31mb\nc") == "a\\x1B[31mb\\x0Ac")
        #expect(Console.printable("\u{2028}\u{200F}\u{61C}a") == "\\x2028\\x200F\\x61Ca")
        #expect(Console.printable("plain – text") == "plain – text")
    }
}
