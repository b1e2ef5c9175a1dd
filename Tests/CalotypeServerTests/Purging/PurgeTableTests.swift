import CalotypeBase
import CalotypeStore
import CalotypeTesting
import CalotypeURLs
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// The table of purges, which processes share, and in which they may be killed.
struct PurgeTableTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let reports = Locked<[String]>([])
    private let cat: PurgeTarget
    private let dogs: PurgeTarget

    init() throws {
        (cat, dogs) = (try .source("https://example.com/cat.jpg"), try .prefix("local:///dogs"))
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    }

    private var path: String { PurgeTable.path(inStore: folder.path) }

    /// Returns the table, as another process opens it, and the list of that process.
    private func process(isNewStore: Bool = false) -> (table: PurgeTable, list: PurgeList) {
        let list = PurgeList()
        let table = PurgeTable(
            inStore: folder.path, isNewStore: isNewStore, patience: .zero, wallClock: clock.wall,
            known: { list.purges }, report: { [reports] text in reports.withLock { $0.append(text) } })
        return (table, list)
    }

    private func purge(_ target: PurgeTarget, isHard: Bool = true) -> Purge {
        Purge(target, isHard: isHard, at: clock.wall.now)
    }

    /// Has a process take a purge.
    @discardableResult
    private func take(_ purge: Purge, by process: (table: PurgeTable, list: PurgeList)) throws -> Purge {
        process.list.set(try process.table.write(new: [purge]).purges)
        return purge
    }

    private func look(_ process: (table: PurgeTable, list: PurgeList)) throws -> [Purge] {
        process.list.set(try process.table.look().purges)
        return process.list.purges
    }

    @Test func `a store without a table has no purges, and reading creates none`() {
        #expect(PurgeTable.purges(inStore: folder.path) == [])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(.requirement("V46")) func `another process reads what one has written, in order, and once`() throws {
        let (one, other) = (process(isNewStore: true), process(isNewStore: true))
        let first = try take(purge(cat), by: one)
        #expect(try look(other) == [first])
        clock.advance(by: .seconds(5))
        let second = try take(purge(dogs, isHard: false), by: other)
        #expect(try one.table.look().purges == [second])
        for table in [one.table, other.table] { #expect(try table.look().purges == []) }
        #expect(PurgeTable.purges(inStore: folder.path) == [first, second])
        #expect(reports.withLock { $0 } == [])
    }

    @Test func `a purge that is learnt twice is one, and a changed one is read again`() throws {
        let (one, other) = (process(isNewStore: true), process(isNewStore: true))
        let first = try take(purge(cat), by: one)
        var later = first
        later.learnt += 7
        _ = try other.table.write(new: [later])
        #expect(try process().table.look().purges == [first])
        _ = try one.table.look()
        _ = try other.table.write(changed: [later])
        #expect(try one.table.look().purges == [later])
        #expect(PurgeTable.purges(inStore: folder.path) == [later])
    }

    private static let urls: [(kind: PurgeTarget.Kind, url: ByteString)] = [
        (.source, "https://example.com/a b?c=%20#d"), (.source, "local:///100% \n\u{E9}.jpg"),
        (.source, ByteString(bytes: Array("local:///".utf8) + [0xFF, 0x0A, 0x25])),
        (.prefix, "https://*.example.com"), (.all, ""),
    ]

    @Test(arguments: urls) func `a text returns its purge, and no other bytes do`(
        kind: PurgeTarget.Kind, url: ByteString
    ) throws {
        let target = try #require(PurgeTarget(kind: kind, url: url))
        for isHard in [false, true] {
            let purge = Purge(target, isHard: isHard, at: 1_767_225_600.123_456_7)
            let bytes = Array(purge.text.bytes)
            #expect(!bytes.contains(0x0A))
            #expect(Purge(bytes, id: purge.id, learnt: purge.learnt) == purge)
            #expect(Purge(bytes, id: PurgeID(time: 5), learnt: purge.learnt) == nil)
            for index in bytes.indices {
                var damaged = bytes
                damaged[index] ^= 1
                #expect(Purge(damaged, id: purge.id, learnt: 0) == nil)
                #expect(Purge(bytes[..<index], id: purge.id, learnt: 0) == nil)
            }
        }
    }

    // MARK: Damage and loss

    private static let damages: [@Sendable (String) throws -> Void] = [
        { try Data("no database".utf8).write(to: URL(fileURLWithPath: $0)) },
        { try Data().write(to: URL(fileURLWithPath: $0)) },
        { try Data(count: 1 << 16).write(to: URL(fileURLWithPath: $0)) },
        { path in
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            // The end of the pages, where rows are.
            for index in 4096..<bytes.count where index % 4096 > 2048 { bytes[index] ^= 0x55 }
            try bytes.write(to: URL(fileURLWithPath: path))
        },
        { path in
            let other = try SQLiteConnection(path: path, creates: false, busyTimeout: .zero)
            try other.run("UPDATE purges SET learnt = learnt - 100")
        },
        { path in
            let other = try SQLiteConnection(path: path, creates: false, busyTimeout: .zero)
            try other.run("DROP TABLE purges")
            try other.run("PRAGMA user_version = 7")
        },
    ]

    @Test(.requirement("V46"), arguments: damages.indices)
    func `damage before the start is a hard purge of everything, once`(row: Int) throws {
        try take(purge(cat), by: process(isNewStore: true))
        try Self.damages[row](path)
        clock.advance(by: .seconds(10))
        let (one, other) = (process(), process())
        let purges = try look(one)
        #expect(purges.map(\.target) == [.all] && purges[0].isHard && purges[0].learnt == clock.wall.now)
        #expect(try look(other) == purges)
        #expect(reports.withLock { $0 }.count == 1)
        let last = try take(purge(dogs), by: other)
        #expect(try look(one) == purges + [last])
        #expect(try look(process()) == purges + [last])
    }

    @Test(.requirement("V46"))
    func `a row that is changed beside running processes is a hard purge of everything, and loses none`()
        throws
    {
        let (one, other) = (process(isNewStore: true), process(isNewStore: true))
        let first = try take(purge(cat), by: one), second = try take(purge(dogs), by: other)
        _ = try look(one)
        let stranger = try SQLiteConnection(path: path, creates: false, busyTimeout: .zero)
        try stranger.run(
            "INSERT INTO purges (id, kind, url, hard, learnt, owed, sum) VALUES ('x', 'all', '', 1, 1, 0, 7)")
        clock.advance(by: .seconds(10))
        for process in [one, other, self.process()] {
            let purges = try look(process)
            #expect(Set(purges.map(\.target)) == [cat, dogs, .all])
            #expect(Set(purges).isSuperset(of: [first, second]))
        }
        #expect(reports.withLock { $0 }.count == 1)
    }

    // The writer was killed after each possible number of bytes.
    @Test(.requirement("V46")) func `a purge that was cut off is no purge, and keeps the others`() throws {
        let writer = process(isNewStore: true)
        let first = try take(purge(cat), by: writer)
        let log = URL(fileURLWithPath: "\(path)-wal")
        let (file, before) = (try Data(contentsOf: URL(fileURLWithPath: path)), try Data(contentsOf: log))
        let second = try take(purge(dogs), by: writer)
        let after = try Data(contentsOf: log)
        #expect(after.count > before.count && after.prefix(before.count) == before)
        var outcomes: Set<Int> = []
        for size in stride(from: before.count, to: after.count, by: 61) + [after.count] {
            let copy = TemporaryFolder()
            try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
            let place = PurgeTable.path(inStore: copy.path)
            try file.write(to: URL(fileURLWithPath: place))
            try after.prefix(size).write(to: URL(fileURLWithPath: "\(place)-wal"))
            let table = PurgeTable(inStore: copy.path, report: { _ in Issue.record("damage at \(size)") })
            let purges = try table.look().purges
            #expect(purges == [first] || purges == [first, second])
            outcomes.insert(purges.count)
        }
        #expect(outcomes == [1, 2])
    }

    @Test(.requirement("V46")) func `a table that is lost has everything purged, unless the store is new`() throws {
        #expect(try look(process(isNewStore: true)) == [])
        try FileManager.default.removeItem(atPath: folder.path)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        #expect(try look(process()).map(\.target) == [.all])
        #expect(try look(process(isNewStore: true)).map(\.target) == [.all])
        #expect(reports.withLock { $0 }.count == 1)
    }

    @Test func `the file of purges of version 0 1 counts as a purge of everything once, and is removed`() throws {
        let old = "\(folder.path)/purges"
        for name in [old, "\(old).far", "\(old).swept"] { try Data("x\n".utf8).write(to: URL(fileURLWithPath: name)) }
        let purges = try look(process())
        #expect(purges.map(\.target) == [.all])
        #expect(try look(process()) == purges)
        #expect(reports.withLock { $0 }.count == 1)
        #expect(["", ".far", ".swept"].allSatisfy { !FileManager.default.fileExists(atPath: old + $0) })
    }

    @Test(.requirement("V46")) func `purges that one process alone knows are in a table in place of a lost one`() throws
    {
        let (one, other) = (process(isNewStore: true), process(isNewStore: true))
        let first = try take(purge(cat), by: one)
        _ = try look(other)
        try FileManager.default.removeItem(atPath: path)
        // Written to a file that no later process finds.
        let second = purge(dogs)
        other.list.set([second])
        #expect(try Set(look(one)) == [first])
        #expect(try Set(look(other)) == [first, second])
        #expect(try Set(look(one)) == [first, second])
        #expect(try Set(look(process())) == [first, second])
    }

    @Test(.requirement("V46")) func `purges are in a table in place of a replaced one`() throws {
        let one = process(isNewStore: true)
        let first = try take(purge(cat), by: one)
        let elsewhere = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: elsewhere.path, withIntermediateDirectories: true)
        let second = purge(dogs)
        _ = try PurgeTable(inStore: elsewhere.path, isNewStore: true, report: { _ in }).write(new: [second])
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        #expect(rename(PurgeTable.path(inStore: elsewhere.path), path) == 0)
        #expect(try Set(look(one)) == [first, second])
        #expect(Set(PurgeTable.purges(inStore: folder.path)) == [first, second])
    }

    // MARK: Failures

    @Test func `a busy table is a 503, and takes the purge later`() throws {
        let one = process(isNewStore: true)
        try take(purge(cat), by: one)
        let other = try SQLiteConnection(path: path, creates: false, busyTimeout: .zero)
        try other.run("BEGIN IMMEDIATE")
        #expect { try one.table.write(new: [purge(dogs)]) } throws: { ($0 as? ServerError)?.status == 503 }
        // Readers do not wait for it.
        #expect(try look(process()).map(\.target) == [cat])
        try other.run("ROLLBACK")
        try take(purge(dogs), by: one)
        #expect(PurgeTable.purges(inStore: folder.path).map(\.target) == [cat, dogs])
    }

    @Test func `a table that refuses a purge is a 500, and keeps the others`() throws {
        let one = process(isNewStore: true)
        let first = try take(purge(cat), by: one)
        let other = try SQLiteConnection(path: path, creates: false, busyTimeout: .zero)
        try other.script(
            "CREATE TRIGGER full BEFORE INSERT ON purges BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        #expect { try one.table.write(new: [purge(dogs)]) } throws: { ($0 as? ServerError)?.status == 500 }
        #expect(try look(process()) == [first])
    }

    @Test func `a folder that is gone is an error`() throws {
        let one = process(isNewStore: true)
        try take(purge(cat), by: one)
        try FileManager.default.removeItem(atPath: folder.path)
        #expect { try one.table.look() } throws: { ($0 as? ServerError)?.status == 500 }
        #expect(one.list.purges.map(\.target) == [cat])
    }

    @Test(.requirement("V46")) func `four writers at once lose no purge`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                let table = PurgeTable(inStore: folder.path, isNewStore: true, report: { _ in })
                group.addTask {
                    for number in 0..<25 {
                        _ = try table.take(.source("local:///\(writer)/\(number).jpg"), isHard: true)
                    }
                }
            }
            try await group.waitForAll()
        }
        let purges = PurgeTable.purges(inStore: folder.path)
        #expect(Set(purges.map(\.target.url)).count == 100 && purges.count == 100)
    }
}

private func + <Element>(left: StrideTo<Element>, right: [Element]) -> [Element] { Array(left) + right }
