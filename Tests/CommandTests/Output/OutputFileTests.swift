import CalotypeBase
import Foundation
import Testing

@testable import calotype_command

/// Section 8: no partial file is ever left.
struct OutputFileTests {
    private let place = FileManager.default.temporaryDirectory.appending(path: "calotype-output-\(UUID().uuidString)")
    private let temporaryFiles = TemporaryFiles()

    private func inDirectory(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        try body()
    }

    private func file(_ name: String, overwrites: Bool = false) -> OutputFile {
        OutputFile(
            path: LocalPath(text: place.appending(path: name).path), overwrites: overwrites,
            temporaryFiles: temporaryFiles)
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] }

    @Test func `a file appears with all its bytes and nothing beside it`() throws {
        try inDirectory {
            try file("a").write(Data("whole".utf8))
            #expect(names == ["a"])
            #expect(try Data(contentsOf: place.appending(path: "a")) == Data("whole".utf8))
        }
    }

    @Test func `a file that is there already stays, unless overwriting was asked for`() throws {
        try inDirectory {
            try file("a").write(Data("old".utf8))
            let refusal = #expect(throws: FileError.self) { try file("a").write(Data("new".utf8)) }
            #expect(refusal?.message.hasSuffix("already exists; --overwrite replaces it") == true)
            #expect(try Data(contentsOf: place.appending(path: "a")) == Data("old".utf8))
            try file("a", overwrites: true).write(Data("new".utf8))
            #expect(try Data(contentsOf: place.appending(path: "a")) == Data("new".utf8))
            #expect(names == ["a"])
        }
    }

    @Test func `a directory is never overwritten`() throws {
        try inDirectory {
            try FileManager.default.createDirectory(at: place.appending(path: "d"), withIntermediateDirectories: true)
            #expect(throws: FileError.self) { try file("d", overwrites: true).checkIsFree() }
            #expect(throws: FileError.self) { try file("d", overwrites: true).write(Data()) }
            #expect(names == ["d"])
        }
    }

    @Test func `a directory that is not there is named`() throws {
        let error = #expect(throws: FileError.self) { try file("a").write(Data()) }
        #expect(error?.message == "cannot write to \(place.path): No such file or directory")
    }

    @Test func `what must not outlive the process is removed, and nothing else`() throws {
        try inDirectory {
            for name in ["gone", "kept"] {
                let path = place.appending(path: name).path
                try Data().write(to: URL(fileURLWithPath: path))
                if name == "gone" { temporaryFiles.insert(LocalPath(text: path)) }
            }
            temporaryFiles.removeAll()
            #expect(names == ["kept"])
        }
    }
}
