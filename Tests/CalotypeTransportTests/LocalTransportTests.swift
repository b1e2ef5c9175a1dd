import CalotypeHTTP
@testable import CalotypeTransport
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `file:` and `data:`.
final class LocalTransportTests {
    let folder: URL
    let transport: some Transport = CurlTransport().besideLocalSchemes(others: CurlTransport(), bodyLimit: .max)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "calotype-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ data: Data, to name: String) throws -> URL {
        let file = folder.appending(path: name)
        try data.write(to: file)
        return file
    }

    @Test(arguments: [0, 1, 262_144, 262_145, 1_000_000])
    func `a file is read whole`(_ size: Int) async throws {
        let file = try write(noise(size), to: "a photo ü.jpg")
        let response = try await transport.get(file)
        #expect(response.status == 200)
        #expect(response.contentLength == size)
        #expect(response.fields["Last-Modified"].flatMap { HTTPDate.parse($0) } != nil)
        #expect(try await response.body.collect() == noise(size))
    }

    @Test func `the case of the scheme does not matter`() async throws {
        let file = try write(Data("a".utf8), to: "a")
        let url = try #require(URL(string: "FILE://localhost" + file.path(percentEncoded: true)))
        #expect(try await transport.body(url) == Data("a".utf8))
        #expect(try await transport.body(#require(URL(string: "DATA:,a"))) == Data("a".utf8))
    }

    @Test func `a file that is not there is not found`() async throws {
        #expect(await transport.failure(folder.appending(path: "absent"))?.code == .fileNotFound)
        let inFile = try write(Data(), to: "a").appending(path: "b")
        #expect(await transport.failure(inFile)?.code == .fileNotFound)
    }

    @Test func `a directory, a pipe and a device are no files to read`() async throws {
        let pipe = folder.appending(path: "pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for url in [folder, pipe, URL(filePath: "/dev/zero")] {
            #expect(await transport.failure(url)?.code == .fileUnreadable)
        }
    }

    @Test func `a file on another machine is refused`() async throws {
        #expect(await transport.failure(try #require(URL(string: "file://server/share/a")))?.code == .malformedURL)
    }

    @Test func `a file that shrinks while it is read is truncated`() async throws {
        let file = try write(noise(600_000), to: "a")
        let response = try await transport.get(file)
        truncate(file.path, 300_000)
        let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
        #expect(error?.code == .truncatedBody)
    }

    @Test func `HEAD gives the head, and other methods are not allowed`() async throws {
        let file = try write(noise(10), to: "a")
        let head = try await transport.send(HTTPRequest(file, method: .head))
        #expect(head.contentLength == 10)
        #expect(try await head.body.collect().isEmpty)
        #expect(try await transport.send(HTTPRequest(file, method: .delete)).status == 405)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    /// RFC 2397.
    @Test(arguments: [
        ("data:,A%20brief%20note", "text/plain;charset=US-ASCII", "A brief note"),
        ("data:;base64,SGk=", "text/plain;charset=US-ASCII", "Hi"),
        ("data:image/png;base64,SGk", "image/png", "Hi"),
        ("data:image/png;BASE64,SG%6B%3D", "image/png", "Hi"),
        ("data:text/html;charset=utf-8;base64,SGk%0A%3D", "text/html;charset=utf-8", "Hi"),
        ("data:;charset=utf-8,%C3%BC", "text/plain;charset=utf-8", "ü"),
        ("data:,a,b", "text/plain;charset=US-ASCII", "a,b"), ("data:,", "text/plain;charset=US-ASCII", ""),
        ("data:,a#b", "text/plain;charset=US-ASCII", "a"),
    ])
    func `a data URL holds its content`(_ url: String, _ type: String, _ text: String) async throws {
        let response = try await transport.get(#require(URL(string: url)))
        #expect(response.fields["Content-Type"] == ByteString(type))
        #expect(try await response.body.collect() == Data(text.utf8))
    }

    @Test(arguments: ["data:image/png;base64", "data:;base64,!!!!", "data:;base64,SGkSG", "data:;base64,=SGk"])
    func `a data URL that is damaged says so`(_ url: String) async throws {
        #expect(await transport.failure(try #require(URL(string: url)))?.code == .malformedURL)
    }

    @Test(arguments: [("ftp://a/b", TransportError.Code.unsupportedScheme), ("photo.jpg", .malformedURL)])
    func `a scheme that nobody serves is unsupported`(_ url: String, _ code: TransportError.Code) async throws {
        #expect(await transport.failure(try #require(URL(string: url)))?.code == code)
    }
}
