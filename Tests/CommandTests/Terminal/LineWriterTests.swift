import CalotypeTesting
import TestSupport
import Dispatch
import Foundation
import Testing

@testable import calotype_command

struct LineWriterTests {
    @Test func `lines are written in order`() async {
        let written = Log<String>()
        let writer = LineWriter { for line in lines($0) { written.add(line) } }
        let numbers = (0..<100).map { "\($0)" }
        for number in numbers { writer.add(number) }
        await writer.end()
        #expect(written.entries == numbers)
    }

    @Test func `a reader that stalls loses lines, which are counted`() async {
        let written = Log<String>()
        let reader = DispatchSemaphore(value: 0)
        let writer = LineWriter {
            if written.count == 0 { reader.wait() }
            for line in lines($0) { written.add(line) }
        }
        // The first ones wait as well until they are written.
        for number in 0..<LineWriter.limit + 7 { writer.add("\(number)") }
        reader.signal()
        await writer.end()
        #expect(writer.lostLines == 7)
        let entries = written.entries
        #expect(entries.filter { $0.hasPrefix("{") } == [#"{"lost":7}"#])
        let numbers = (0..<LineWriter.limit).map { "\($0)" }
        #expect(entries.filter { !$0.hasPrefix("{") } == numbers)
    }

    @Test func `many lines take few writes`() async {
        let batches = Log<Int>()
        let writing = Gate()
        let writer = LineWriter {
            batches.add(lines($0).count)
            writing.waitBlocking()
        }
        writer.add("first")
        // The others come while the first one is being written, or before.
        for number in 1..<LineWriter.limit { writer.add("\(number)") }
        writing.open()
        await writer.end()
        #expect(batches.entries.reduce(0, +) == LineWriter.limit && batches.count <= 3)
        #expect(writer.lostLines == 0)
    }
}

/// The lines of a write, each of which ends with a line feed.
private func lines(_ bytes: [UInt8]) -> [String] {
    #expect(bytes.last == UInt8(ascii: "\n"))
    return bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
}
