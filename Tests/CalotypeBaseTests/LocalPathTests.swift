import Foundation
import Testing

@testable import CalotypeBase

struct LocalPathTests {
    @Test(
        arguments: [
            ("photos/lake.jpg", "lake.jpg", "photos"), ("lake.jpg", "lake.jpg", ""), ("/lake.jpg", "lake.jpg", "/"),
            ("/a//b///", "b", "/a"), ("/", "/", "/"), ("", "", ""), ("a/", "a", ""), ("//", "/", "/"),
        ] as [(LocalPath, ByteString, LocalPath)])
    func `a path has a name and a folder`(_ path: LocalPath, _ name: ByteString, _ folder: LocalPath) {
        #expect(path.name == name)
        #expect(path.folder == folder)
    }

    @Test(
        arguments: [
            ("/a/./b/../c//d/", "/a/c/d"), ("/..", "/"), ("/", "/"), ("/a/..", "/"),
        ] as [(LocalPath, LocalPath)])
    func `an absolute path has no parts that lead elsewhere`(_ path: LocalPath, _ absolute: LocalPath) {
        #expect(path.absolute == absolute)
    }

    @Test(
        arguments: [
            ([0x63, 0xE9], "c\\xE9"), ([0xFF, 0x61], "\\xFFa"), ([0xC3, 0xA9, 0xFE], "é\\xFE"),
            ([0xE2, 0x82], "\\xE2\\x82"),
            ([0xE2, 0x82, 0xAC], "€"), ([0x0F, 0x80], "\u{0F}\\x80"),
        ] as [([UInt8], String)])
    func `bytes that are not UTF-8 are shown as numbers`(_ bytes: [UInt8], _ text: String) {
        #expect(LocalPath(ByteString(bytes: bytes)).description == text)
    }

    @Test func `a walk finds files by their bytes, follows no link to a folder, and skips what it is told to`() throws {
        let root = LocalPath(text: NSTemporaryDirectory()).appending(name: "calotype-walk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: root.description) }
        let odd = ByteString(bytes: [0xFF])
        for folder in ["b", ".hidden", "out", "b/deep"] { try root.appending(LocalPath(text: folder)).makeFolder() }
        try root.appending(name: odd).makeFolder()
        for file in ["b/1", "b/deep/2", ".hidden/3", "out/4", "\(odd)/\(odd)", "5"] as [ByteString] {
            _ = root.appending(name: file).withCString { creat($0, 0o600) }
        }
        // A loop of links, and a link to a file.
        _ = root.appending("b/loop").withCString { symlink("..", $0) }
        _ = root.appending("link").withCString { symlink("5", $0) }
        // Opening a pipe without a writer waits forever; opening a broken link names the reason.
        _ = root.appending("pipe").withCString { mkfifo($0, 0o600) }
        _ = root.appending("link-to-pipe").withCString { symlink("pipe", $0) }
        _ = root.appending("broken").withCString { symlink("nowhere", $0) }
        var options = FolderWalk.Options()
        options.skipsHidden = true
        options.skipped = root.appending("out")
        let walk = try FolderWalk(root, options) { _ in true }
        #expect(walk.files.map(\.bytes) == ["5", "b/1", "b/deep/2", "broken", "link", "\(odd)/\(odd)"])
        #expect(walk.problems.isEmpty)
        #expect(throws: SystemError(ENOENT)) { try FolderWalk(root.appending("no")) { _ in true } }
    }
}
