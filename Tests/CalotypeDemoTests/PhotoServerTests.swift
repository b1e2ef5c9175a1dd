import CalotypeBase
import CalotypeCodecs
@testable import CalotypeDemo
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@Suite struct PhotoServerTests {
    private let folder = TemporaryFolder()

    private func server(pictures: Int, photoCount: Int = 0) throws -> PhotoServer {
        for number in 1...pictures {
            try folder.write(SamplePhotos.jpeg(width: 400, height: 300, seed: number), to: "sub/\(100 + number).jpg")
        }
        try folder.write(Data("text".utf8), to: "notes.txt")
        return try PhotoServer(PhotoFolder(path: LocalPath(text: folder.path)), photoCount: photoCount)
    }

    @Test(.requirement("S4.32", "C17")) func `pages of photos, each with an image, and an end`() async throws {
        let server = try server(pictures: 2, photoCount: 70)
        let api = PhotoAPI(server.url)
        let first = try await api.page(1)
        #expect((first.currentPage, first.totalPages, first.totalItems) == (1, 3, 70))
        #expect(first.photos.count == 30)
        #expect(first.photos[0].name == "101")
        #expect(first.photos[0].imageURL == first.photos[2].imageURL)
        #expect(first.photos[0].imageURL != first.photos[1].imageURL)
        #expect(try await api.page(3).photos.map(\.id) == (61...70).map(String.init))
        #expect(try await api.page(4).photos.isEmpty)
        #expect(try await api.page(1_000_000_000).photos.isEmpty)
    }

    @Test(.requirement("S4.24")) func `one photo, with its large image`() async throws {
        let server = try server(pictures: 2)
        let photo = try await PhotoAPI(server.url).photo("2")
        #expect(photo.name == "102")
        #expect(photo.imageURL?.path == "/images/2/large")
    }

    @Test(arguments: [("small", 320), ("medium", 400), ("large", 400), ("original", 400)])
    func `an image comes at the size asked for, never enlarged`(_ size: String, _ width: Int) async throws {
        let server = try server(pictures: 1)
        let data = try await Data.body(of: server.url.appending(path: "images/1/\(size)"))
        #expect(try DecoderRegistry.standard.header(of: data).width == width)
    }

    @Test(arguments: ["/", "/photos/0", "/photos/2", "/photos/x", "/images/2/small", "/images/1/huge", "/images/1"])
    func `what is not there is 404`(_ path: String) async throws {
        let server = try server(pictures: 1)
        #expect(try await Data.status(of: server.url.appending(path: path)) == 404)
    }

    @Test(arguments: ["page=0", "page=-1", "page=x"])
    func `a page that cannot be is 400`(_ query: String) async throws {
        let server = try server(pictures: 1)
        let url = try #require(URL(string: "\(server.url)/photos?\(query)"))
        #expect(try await Data.status(of: url) == 400)
    }

    @Test func `an image that is damaged is an error, and disturbs no other`() async throws {
        try folder.write(Data("\u{FF}\u{D8}nonsense".utf8), to: "a.jpg")
        let server = try server(pictures: 1)
        #expect(try await Data.status(of: server.url.appending(path: "images/1/small")) == 500)
        #expect(try await Data.status(of: server.url.appending(path: "images/2/small")) == 200)
    }

    @Test func `of a folder with more names than anybody waits for, some are read`() async throws {
        for number in 1...9 { try folder.write(Data(), to: "\(number).jpg") }
        #expect(try PhotoFolder(path: LocalPath(text: folder.path), nameLimit: 4).files.count == 4)
        #expect(try PhotoFolder(path: LocalPath(text: folder.path)).files.count == 9)
    }

    @Test func `a folder without images, and none at all, say so`() throws {
        try folder.write(Data("text".utf8), to: "notes.txt")
        #expect(throws: PhotoFolderError(message: "there are no pictures in \(folder.path)")) {
            try PhotoFolder(path: LocalPath(text: folder.path))
        }
        #expect(throws: PhotoFolderError(message: "there is no folder /nowhere/at/all")) {
            try PhotoFolder(path: "/nowhere/at/all")
        }
    }
}
