import CalotypeBase
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

@Suite(.requirement("V13")) final class SourceRootTests {
    private let place: URL
    private let root: URL

    init() throws {
        place = FileManager.default.temporaryDirectory.appending(path: "calotype-root-\(UUID().uuidString)")
        root = place.appending(path: "root")
        let files = FileManager.default
        try files.createDirectory(at: root.appending(path: "folder/deep"), withIntermediateDirectories: true)
        try Data("inside".utf8).write(to: root.appending(path: "folder/deep/file"))
        try Data("outside".utf8).write(to: place.appending(path: "file"))
        for (name, destination) in [
            ("link", "folder/deep/file"), ("folder/up", "deep/../deep/file"), ("out", "../file"), ("away", ".."),
            ("absolute", place.appending(path: "file").path),
        ] {
            try files.createSymbolicLink(atPath: root.appending(path: name).path, withDestinationPath: destination)
        }
    }

    deinit { try? FileManager.default.removeItem(at: place) }

    private func link(_ links: [(name: String, destination: String)]) throws {
        for (name, destination) in links {
            try FileManager.default.createSymbolicLink(
                atPath: root.appending(path: name).path, withDestinationPath: destination)
        }
    }

    private func text(_ path: ByteString, asksKernel: Bool) throws -> String {
        let file = try SourceRoot(LocalPath(text: root.path), asksKernel: asksKernel).file(at: path)
        return String(decoding: try file.read(limit: 100), as: UTF8.self)
    }

    @Test(arguments: [true, false]) func `files inside are read`(asksKernel: Bool) throws {
        #expect(try text("folder/deep/file", asksKernel: asksKernel) == "inside")
    }

    @Test(arguments: [true, false]) func `links inside are followed`(asksKernel: Bool) throws {
        try link([("again", "folder/../link"), ("folder/back", "../folder/./deep//"), ("here", ".")])
        for path: ByteString in ["link", "folder/up", "again", "folder/back/file", "here/here/folder/up"] {
            #expect(try text(path, asksKernel: asksKernel) == "inside", "\(path)")
        }
    }

    @Test(arguments: [true, false]) func `no way leads out`(asksKernel: Bool) throws {
        try link([("over", "folder/../../root/link"), ("magic", "/proc/self/root"), ("deeper", "link/")])
        for path: ByteString in [
            "out", "away/file", "absolute", "../file", "folder/../../file", "folder", "nothing", "over",
            "magic/etc/passwd", "deeper", "link/file", "folder/deep/file/",
        ] {
            #expect(throws: ServerError.notFound, "\(path)") { try text(path, asksKernel: asksKernel) }
        }
    }

    @Test(arguments: [true, false]) func `links that have no end are followed forty times`(asksKernel: Bool) throws {
        try link([("round", "round"), ("ring", "folder/ring"), ("folder/ring", "../ring")])
        for path: ByteString in ["round", "ring", "round/file"] {
            #expect(throws: ServerError.notFound, "\(path)") { try text(path, asksKernel: asksKernel) }
        }
        for number in 0..<40 { try link([("\(number)", number == 0 ? "folder/deep/file" : "\(number - 1)")]) }
        #expect(try text("39", asksKernel: asksKernel) == "inside")
        try link([("40", "39")])
        #expect(throws: ServerError.notFound) { try text("40", asksKernel: asksKernel) }
    }

    @Test(arguments: [true, false]) func `no file outside is opened while folders and links change places`(
        asksKernel: Bool
    ) throws {
        let files = FileManager.default
        for folder in ["root/swapped", "root/kept", "root/moved/deep", "elsewhere"] {
            try files.createDirectory(at: place.appending(path: folder), withIntermediateDirectories: true)
        }
        for folder in ["root", "root/swapped", "root/kept"] {
            try Data("inside".utf8).write(to: place.appending(path: "\(folder)/name"))
        }
        for folder in [place, place.appending(path: "elsewhere")] {
            try Data("outside".utf8).write(to: folder.appending(path: "name"))
        }
        // A folder and a link out, two links, and a folder that leaves the root with its parent behind it.
        try link([("other", ".."), ("turned", "kept"), ("turned-away", "../elsewhere")])
        try link([("around", "moved/deep/../../name")])
        func path(_ name: String) -> String { place.appending(path: name).path }
        let pairs = [
            (path("root/swapped"), path("root/other")), (path("root/turned"), path("root/turned-away")),
        ]
        let aside = path("aside"), moved = (path("root/moved/deep"), path("elsewhere/deep"))
        let isDone = Locked(false), rounds = Locked(0), ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isDone.withLock({ $0 }) {
                for (first, second) in pairs {
                    rename(first, aside)
                    rename(second, first)
                    rename(aside, second)
                }
                rename(moved.0, moved.1)
                rename(moved.1, moved.0)
                rounds.withLock { $0 += 1 }
            }
            ended.signal()
        }
        defer {
            isDone.withLock { $0 = true }
            ended.wait()
        }
        var turns = 0, opened = 0
        let folder = try SourceRoot(LocalPath(text: root.path), asksKernel: asksKernel)
        while turns < 20_000 || rounds.withLock({ $0 }) < 1000 || opened < 1000 {
            turns += 1
            for path: ByteString in ["swapped/name", "turned/name", "around"] {
                guard let file = try? folder.file(at: path) else { continue }
                opened += 1
                try #require(String(decoding: try file.read(limit: 100), as: UTF8.self) == "inside", "\(path)")
            }
        }
    }

    @Test func `a file beyond the limit is not read`() throws {
        let file = try SourceRoot(LocalPath(text: root.path)).file(at: "folder/deep/file")
        #expect(throws: ServerError.tooLarge) { try file.read(limit: 5) }
    }

    @Test func `a file that changes while it is read fails as changed`() throws {
        let file = try SourceRoot(LocalPath(text: root.path)).file(at: "folder/deep/file")
        try Data("insides".utf8).write(to: root.appending(path: "folder/deep/file"), options: [])
        #expect(throws: ServerError.changed) { try file.read(limit: 100) }
    }
}
