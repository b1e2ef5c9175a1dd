import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Testing

@testable import CalotypeGallery

/// The images of a folder, as the gallery lists them.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct FolderSourceTests {
    private let root = LocalPath(text: NSTemporaryDirectory()).appending(name: "calotype-gallery-\(UUID().uuidString)")

    private func write(_ data: Data, to path: LocalPath) throws {
        try path.folder.makeFolder()
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
        try #require(descriptor >= 0)
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
    }

    private func remove() { try? FileManager.default.removeItem(atPath: root.description) }

    @Test(arguments: [[0xFF], [0x63, 0x61, 0x66, 0xE9]] as [[UInt8]])
    func `folders and files whose names are not UTF-8 are listed, shown and opened again`(_ bytes: [UInt8]) async throws
    {
        defer { remove() }
        let name = ByteString(bytes: bytes)
        let folder = root.appending(name: name)
        let file = folder.appending(name: name).appending(name: "\(name).jpg")
        try write(SamplePhotos.jpeg(width: 40, height: 30), to: file)
        // As `main` reads the command line, and as the settings keep the place.
        let place = try GalleryLocation(GalleryArguments.text(of: folder))
        #expect(place.kind == .folder && place.title == name.displayed)
        #expect(try GalleryLocation(#require(place.text)) == place)
        let items = try await FolderSource(path: #require(LocalPath(fileURL: place.url))).next()
        #expect(items.map(\.name) == [name.displayed])
        #expect(items.map(\.folder) == [name.displayed])
        #expect(items[0].date != nil)
        let bitmap = try await ImageLoader(.ephemeral).fetch(#require(items[0].tileRequest()))
        #expect(bitmap.width == 40)
        let image = try GalleryLocation(GalleryArguments.text(of: file))
        #expect(image.kind == .image && image.url == items[0].url)
    }

    @Test func `folders that cannot be read are named, and the images beside them listed`() async throws {
        defer { remove() }
        try write(SamplePhotos.jpeg(width: 40, height: 30), to: root.appending("a.jpg"))
        try root.appending("sub").makeFolder()
        let unreadable = UnreadableFolder(below: root.appending("sub").description)
        let source = FolderSource(path: root)
        #expect(try await source.next().map(\.name) == ["a"])
        let notice = try #require(source.notice)
        #expect(notice.hasPrefix("The folder sub/dddd") && notice.hasSuffix(" cannot be read."))
        try FileManager.default.removeItem(atPath: root.appending("a.jpg").description)
        let problem = await #expect(throws: GalleryProblem.self) { try await FolderSource(path: root).next() }
        #expect(problem?.sentence == GalleryTexts.subfolderUnreadable)
        withExtendedLifetime(unreadable) {}
    }
}
