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

    private func text(_ path: ByteString, asksKernel: Bool) throws -> String {
        let file = try SourceRoot(LocalPath(text: root.path), asksKernel: asksKernel).file(at: path)
        return String(decoding: try file.read(limit: 100), as: UTF8.self)
    }

    @Test(arguments: [true, false]) func `files inside are read`(asksKernel: Bool) throws {
        #expect(try text("folder/deep/file", asksKernel: asksKernel) == "inside")
    }

    @Test func `the kernel follows links inside`() throws {
        #expect(try text("link", asksKernel: true) == "inside")
        #expect(try text("folder/up", asksKernel: true) == "inside")
    }

    @Test func `without the kernel's help no link is followed`() {
        for path: ByteString in ["link", "folder/up"] {
            #expect(throws: ServerError.notFound) { try text(path, asksKernel: false) }
        }
    }

    @Test(arguments: [true, false]) func `no way leads out`(asksKernel: Bool) {
        for path: ByteString in ["out", "away/file", "absolute", "../file", "folder/../../file", "folder", "nothing"] {
            #expect(throws: ServerError.notFound, "\(path)") { try text(path, asksKernel: asksKernel) }
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
