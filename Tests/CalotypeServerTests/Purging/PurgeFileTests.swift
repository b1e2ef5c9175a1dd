import CalotypeBase
import CalotypeStore
import CalotypeTesting
import CalotypeURLs
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// The file of purges, which processes share, and in which they may be killed.
struct PurgeFileTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let reports = Locked<[String]>([])
    private let cat: PurgeTarget
    private let dogs: PurgeTarget

    init() throws {
        (cat, dogs) = (try .source("https://example.com/cat.jpg"), try .prefix("local:///dogs"))
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    }

    private var path: String { "\(folder.path)/purges" }

    /// Returns the file, as another process opens it.
    private func file() -> PurgeFile {
        PurgeFile(path, wallClock: clock.wall) { [reports] text in reports.withLock { $0.append(text) } }
    }

    private var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }

    private func append(_ bytes: Data) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    @Test func `a file that does not exist has no purges, and reading it creates none`() throws {
        #expect(try file().read().lines == [])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `another process reads what one has appended, line by line`() throws {
        let (one, other) = (file(), file())
        let first = try one.append(cat, isHard: true)
        #expect(try other.read().lines == [first])
        clock.advance(by: .seconds(5))
        let second = try other.append(dogs, isHard: false)
        #expect(second.time == first.time + 5 && !second.isHard && first.isHard)
        #expect(try one.read().lines == [first, second])
        #expect(try file().read().lines == [first, second])
        let revision = try one.read().revision
        #expect(try one.read().revision == revision)
    }

    private static let urls: [(kind: PurgeTarget.Kind, url: ByteString)] = [
        (.source, "https://example.com/a b?c=%20#d"), (.source, "local:///100% \n\u{E9}.jpg"),
        (.source, ByteString(bytes: Array("local:///".utf8) + [0xFF, 0x0A, 0x25])),
        (.prefix, "https://*.example.com"), (.all, ""),
    ]

    @Test(arguments: urls) func `a line returns its purge, and no other bytes do`(
        kind: PurgeTarget.Kind, url: ByteString
    ) throws {
        let target = try #require(PurgeTarget(kind: kind, url: url))
        for isHard in [false, true] {
            let line = PurgeLine(time: 1_767_225_600.123_456_7, target, isHard: isHard, isRepeated: isHard)
            #expect(line.text.last == 0x0A && line.text.filter { $0 == 0x0A }.count == 1)
            let bytes = [UInt8](line.text.dropLast())
            #expect(PurgeLine(bytes) == line)
            for index in bytes.indices {
                var damaged = bytes
                damaged[index] ^= 1
                #expect(PurgeLine(damaged) == nil)
                #expect(PurgeLine(bytes[..<index]) == nil)
            }
        }
    }

    @Test(arguments: ["x\n", "\n", "0123456789abcdef 1 hard all\n", "half a line", "\u{0}"])
    func `damage is a hard purge of everything, once`(damage: String) throws {
        let one = file()
        let first = try one.append(cat, isHard: true)
        try append(Data(damage.utf8))
        clock.advance(by: .seconds(10))
        let lines = try one.read().lines
        #expect(lines.count == 2 && lines[0] == first)
        #expect(lines[1].target == .all && lines[1].isHard && lines[1].time == first.time + 10)
        #expect(reports.withLock { $0.count } == 1)
        clock.advance(by: .seconds(10))
        for file in [one, file()] { #expect(try file.read().lines == lines) }
        let last = try one.append(dogs, isHard: true)
        #expect(try file().read().lines == lines + [last])
    }

    // The writer was killed after each possible number of bytes.
    @Test func `a purge that was cut off is a purge of everything, and keeps the others`() throws {
        let text = PurgeLine(time: clock.wall.now, dogs, isHard: true).text
        for length in 1..<text.count {
            try? FileManager.default.removeItem(atPath: path)
            let first = try file().append(cat, isHard: false)
            try append(text.prefix(length))
            let appended = try file().append(cat, isHard: true)
            let lines = try file().read().lines
            #expect(lines.count == 3 && lines.first == first && lines.last == appended)
            // All but the line feed had been written.
            #expect(lines[1].target == (length == text.count - 1 ? dogs : .all) && lines[1].isHard)
        }
    }

    @Test func `damage that cannot be replaced is a purge of everything in this process`() throws {
        let one = file()
        _ = try one.append(cat, isHard: true)
        try append(Data("damage\n".utf8))
        // A folder in place of the new file, which therefore cannot be written.
        try FileManager.default.createDirectory(atPath: "\(path).new/x", withIntermediateDirectories: true)
        #expect(throws: ServerError.self) { try one.read() }
        for _ in 0..<2 {
            let lines = try one.read().lines
            #expect(lines.map(\.target) == [cat, .all])
        }
        #expect(throws: ServerError.self) { _ = try one.append(dogs, isHard: true) }
        #expect(reports.withLock { $0 } == [])
        try FileManager.default.removeItem(atPath: "\(path).new")
        #expect(try one.read().lines.map(\.isHard) == [true, true])
        #expect(reports.withLock { $0.count } == 1)
    }

    @Test func `two writers at once lose no purge`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                let file = file()
                group.addTask {
                    for number in 0..<25 {
                        _ = try file.append(.source("local:///\(writer)/\(number).jpg"), isHard: true)
                    }
                }
            }
            try await group.waitForAll()
        }
        let lines = try file().read().lines
        #expect(Set(lines.map(\.target.url)).count == 100 && lines.count == 100)
        #expect(reports.withLock { $0 } == [])
    }

    @Test func `beyond 10,000 purges the answer is 429`() throws {
        let one = file()
        var text = Data()
        for number in 0..<10_000 {
            text += PurgeLine(time: Double(number), try .source("local:///\(number)"), isHard: true).text
        }
        try text.write(to: URL(fileURLWithPath: path))
        #expect { _ = try one.append(cat, isHard: true) } throws: { ($0 as? ServerError)?.status == 429 }
        let lines = try one.read().lines
        #expect(lines.count == 10_000)
        try one.drop(Set(lines.prefix(1)))
        _ = try one.append(cat, isHard: true)
        #expect(try file().read().lines.count == 10_000)
    }

    @Test func `other processes see that purges were dropped`() throws {
        let (one, other) = (file(), file())
        let lines = [try one.append(cat, isHard: true), try one.append(dogs, isHard: true)]
        #expect(try other.read().lines == lines)
        try one.drop([lines[0]])
        #expect(try other.read().lines == [lines[1]])
        #expect(try one.read().lines == [lines[1]])
    }

    // As if the file had been replaced twice, so that the system reused its number.
    @Test func `other lines in a file of the same number and size are read`() async throws {
        let one = file()
        let first = try one.append(cat, isHard: true)
        let other = PurgeLine(time: first.time, try .source("https://example.com/dog.jpg"), isHard: true)
        #expect(other.text.count == first.text.count)
        let version = try LineFile(path).version()
        // The system's time of the change advances in steps.
        try await repeatUntil {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.write(contentsOf: other.text)
            try handle.close()
            return try LineFile(path).version() != version
        }
        #expect(try one.read().lines == [other])
    }

    @Test func `purges stay in force if the file is removed, and a folder that is gone is an error`() throws {
        let one = file()
        let line = try one.append(cat, isHard: true)
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(try one.read().lines == [line])
        #expect { _ = try one.append(dogs, isHard: true) } throws: { ($0 as? ServerError)?.status == 500 }
    }
}
