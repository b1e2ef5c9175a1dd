import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import Calotype

/// Copies of originals in files of the caller.
@Suite struct SavedOriginalTests {
    private let folder = TemporaryFolder()
    private let place: URL
    private static let png = SamplePhotos.png(width: 4, height: 4)

    init() throws {
        place = URL(filePath: folder.path, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }

    private func room(_ body: Data = png) -> LoaderFixture {
        LoaderFixture(answering: { HTTPResponse(url: $0.url, status: 200, body: HTTPBody(body)) })
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private func save(_ url: URL, to file: URL, _ body: Data = png) async throws -> URL {
        try await room(body).loader.saveOriginal(for: ImageRequest(url), to: file)
    }

    @Test func `a file gets the bytes as they are, and replaces the one before it at once`() async throws {
        let file = place.appending(path: "copy.bin")
        try Data("old".utf8).write(to: file)
        let reader = try FileHandle(forReadingFrom: file)
        #expect(try await save(.photo("a.png"), to: file).path == file.path)
        #expect(try Data(contentsOf: file) == Self.png)
        #expect(names == ["copy.bin"])
        // The reader of the old file still has all of it.
        #expect(try reader.readToEnd() == Data("old".utf8))
    }

    @Test(arguments: [
        ("http://h/a/photo.png", "photo.png"), ("http://h/photo.jpg?w=2", "photo.png"), ("http://h/", "h.png"),
        ("http://h/7?size=2", "7.png"), ("http://h/%2e%2e%2fetc%2fpasswd", "_etc_passwd.png"),
    ])
    func `a file in a folder has the name of its URL and the extension of its format`(
        _ url: String, _ name: String
    ) async throws {
        let file = try await save(try #require(URL(string: url)), to: place)
        #expect(names == [name])
        #expect(file.path == folder.path + "/" + name)
        #expect(try Data(contentsOf: file) == Self.png)
    }

    @Test(.requirement("C1")) func `200 originals at once are saved with room for one body and one thread`()
        async throws
    {
        let fixture = LoaderFixture(
            options: {
                $0.undecodedBytes = 1
                $0.codecThreads = 1
            }, answering: { HTTPResponse(url: $0.url, status: 200, body: HTTPBody(Self.png)) })
        let loader = fixture.loader
        let tasks = (0..<200).map { number in
            Task { try await loader.saveOriginal(for: ImageRequest(.photo("\(number).png")), to: place) }
        }
        for task in tasks { #expect(try await Data(contentsOf: task.value) == Self.png) }
        #expect(names.count == 200)
        await waitUntil { loader.statistics.undecodedBytes == 0 }
    }

    @Test func `a source without a URL has the name image`() async throws {
        let request = ImageRequest(source: .data(Self.png))
        try await room().loader.saveOriginal(for: request, to: place)
        let text = "data:image/png;base64,\(Self.png.base64EncodedString())"
        _ = try await save(try #require(URL(string: text)), to: place)
        #expect(names == ["image-2.png", "image.png"])
    }

    @Test func `an existing file in the folder stays, and the next one has a number`() async throws {
        try Data("mine".utf8).write(to: place.appending(path: "a.png"))
        for number in 2...3 {
            #expect(try await save(.photo("a.png"), to: place).lastPathComponent == "a-\(number).png")
        }
        #expect(try Data(contentsOf: place.appending(path: "a.png")) == Data("mine".utf8))
        #expect(names == ["a-2.png", "a-3.png", "a.png"])
    }

    @Test func `an image in a format that no decoder reads is saved under its own name`() async throws {
        let tiff = Data([0x49, 0x49, 0x2A, 0]) + Data(repeating: 0, count: 64)
        let room = LoaderFixture(
            options: { $0.decoders = DecoderRegistry() },
            answering: { HTTPResponse(url: $0.url, status: 200, body: HTTPBody(tiff)) })
        let error = await imageError { try await room.loader.fetch(URL.photo()) }
        try #require(error?.code == .unsupportedImage)
        try await room.loader.saveOriginal(for: ImageRequest(.photo("a.jpg")), to: place)
        #expect(names == ["a.jpg"])
        #expect(try Data(contentsOf: place.appending(path: "a.jpg")) == tiff)
    }

    @Test func `bytes that are no image are not saved`() async {
        let error = await imageError { try await save(.photo("a.png"), to: place, Data("<html>".utf8)) }
        #expect(error?.code == .notAnImage)
        #expect(names.isEmpty)
    }

    @Test func `a save of an image and its load share one download`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let load = Task { try await room.loader.fetch(URL.photo("a")) }
        await gate.waitForWaiters(1)
        let save = Task { try await room.loader.saveOriginal(for: ImageRequest(.photo("a")), to: place) }
        await room.waitForWaiters(images: 1, sources: 2)
        gate.open()
        _ = try await (load.value, save.value)
        #expect(room.transport.requestCount == 1)
        #expect(names == ["a.plain"])
    }

    @Test(arguments: ["https://h/a", "relative"])
    func `a URL that is not a file's is refused before the download`(_ url: String) async throws {
        let (room, file) = (room(), try #require(URL(string: url)))
        let error = await imageError { try await room.loader.saveOriginal(for: ImageRequest(.photo()), to: file) }
        #expect(error?.code == .fileUnwritable)
        #expect(error?.message.contains(url) == true)
        #expect(room.transport.requestCount == 0)
    }

    @Test(arguments: ["missing/", "missing/a.png"])
    func `a folder that does not exist is named in the error`(_ path: String) async {
        let error = await imageError { try await save(.photo("a.png"), to: place.appending(path: path)) }
        #expect(error?.code == .fileUnwritable)
        #expect(error?.message.contains("\(folder.path)/missing") == true)
        #expect(error?.message.hasSuffix("No such file or directory") == true)
        #expect(names.isEmpty)
    }

    @Test func `a folder in the place of the file stays, and no part of the copy`() async throws {
        let file = try OriginalFile(at: place.appending(path: "a.png"), of: nil)
        try FileManager.default.createDirectory(at: place.appending(path: "a.png"), withIntermediateDirectories: true)
        #expect(throws: ImageError.self) { try file.write(Self.png, .png, Cancellation()) }
        #expect(names == ["a.png"])
    }

    @Test(arguments: ["", "a.png"])
    func `a cancelled save leaves nothing`(_ name: String) async throws {
        let (gate, cancellation) = (Gate(), Cancellation())
        let task = Task { await cancellation.observed { await gate.wait() } }
        await gate.waitForWaiters(1)
        task.cancel()
        await waitUntil { cancellation.isCancelled }
        gate.open()
        await task.value
        let file = try OriginalFile(at: name.isEmpty ? place : place.appending(path: name), of: .photo("b.png"))
        for data in [Self.png, Data()] {
            let error = #expect(throws: ImageError.self) { try file.write(data, .png, cancellation) }
            #expect(error?.code == .cancelled)
        }
        #expect(names.isEmpty)
    }
}
