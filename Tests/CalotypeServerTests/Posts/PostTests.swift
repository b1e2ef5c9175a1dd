import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// An image in the body of a POST, and one result.
struct PostTests {
    private let photo = SamplePhotos.jpeg(width: 640, height: 480)

    @Test func `an image by POST has the bytes of the same image by URL`() async throws {
        let server = try TestServer.forPosts()
        try server.write(photo, "a.jpg")
        let posted = try await server.post("/_/rs:fit:200:0/f:webp/", photo)
        let named = try await server.get("/_/rs:fit:200:0/f:webp/plain/local:///a.jpg")
        #expect(posted.status == 200 && named.status == 200)
        #expect(posted.body == named.body && posted.size == PixelSize(width: 200, height: 150))
        #expect(posted.fields["Content-Type"] == "image/webp")
        #expect(posted.fields["Cache-Control"] == "no-store" && posted.fields["ETag"] == nil)
        #expect(posted.fields["X-Content-Type-Options"] == "nosniff")
        await waitUntil { server.isEmptied }
    }

    @Test func `without options, the format of the image stays`() async throws {
        let server = try TestServer.forPosts { $0.negotiated = [] }
        for path: ByteString in ["/_/", "/_/w:0", "/_/w:0/"] {
            let answer = try await server.post(path, photo)
            #expect(answer.status == 200 && answer.format == .jpeg)
            #expect(answer.size == PixelSize(width: 640, height: 480))
        }
    }

    @Test func `Accept decides about the format as for URLs`() async throws {
        let server = try TestServer.forPosts()
        let answer = try await server.post("/_/w:100/", photo, ["Accept": "image/webp"])
        #expect(answer.format == .webp && answer.fields["Vary"] == "Accept")
    }

    @Test func `a form has the image as its one file, with any type`() async throws {
        let server = try TestServer.forPosts()
        let form = SampleForm().adding("note", Data("a text".utf8)).adding("file", photo, fileName: "a;b\"c.txt")
            .adding("other", Data())
        let answer = try await server.post("/_/w:100/f:png/", form.body, ["Content-Type": form.type])
        #expect(answer.status == 200 && answer.format == .png && answer.size?.width == 100)
    }

    @Test func `a large image goes through a file without a name`() async throws {
        let folder = TemporaryFolder()
        let server = try TestServer.forPosts { $0.store = folder.path }
        let large = SamplePhotos.png(width: 1200, height: 900)
        try #require(large.count > Uploads.memoryLimit)
        let answer = try await server.post("/_/w:100/f:png/", large)
        #expect(answer.status == 200 && answer.size?.width == 100)
        await waitUntil { server.isEmptied }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix(".") })
    }

    @Test func `nothing is stored`() async throws {
        let folder = TemporaryFolder()
        let server = try TestServer.forPosts { $0.store = folder.path }
        _ = try await server.post("/_/w:100/", photo)
        _ = try await server.post("/_/w:100/", photo)
        #expect(server.server.encodes == 2)
        for disk in server.server.disks { #expect(try await disk.statistics().entries == 0) }
    }

    @Test func `a name and a disposition come from the options`() async throws {
        let server = try TestServer.forPosts()
        let answer = try await server.post("/_/w:100/f:webp/fn:cat/att:1/", photo)
        #expect(answer.fields["Content-Disposition"]?.string.hasPrefix("attachment; filename=\"cat.webp\"") == true)
    }

    // MARK: What is no image

    @Test(arguments: [
        ("%PDF-1.7 and so on", 415, "PDF"), ("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom", 415, "MP4"),
        ("hello", 415, "no image"), ("", 400, "empty"),
    ])
    func `a body that is no image is refused by what it is`(body: String, status: Int, text: String) async throws {
        let server = try TestServer.forPosts()
        let answer = try await server.post("/_/w:100/", Data(body.utf8))
        #expect(answer.status == status && answer.text.contains(text))
        let json = try await server.post("/_/w:100/", Data(body.utf8), ["Accept": "application/json"])
        #expect(json.status == status && json.fields["Content-Type"] == "application/json")
        let object = try #require(try JSONSerialization.jsonObject(with: json.body) as? [String: Any])
        #expect(object["status"] as? Int == status && (object["message"] as? String)?.contains(text) == true)
        await waitUntil { server.isEmptied }
    }

    @Test func `a damaged image is 422, and one with too many pixels 413`() async throws {
        let server = try TestServer.forPosts { $0.maxSourcePixels = 640 * 480 - 1 }
        #expect(
            try await server.post("/_/w:100/", SamplePhotos.jpeg(width: 320, height: 240).prefix(900)).status == 422)
        #expect(try await server.post("/_/w:100/", photo).status == 413)
    }

    @Test(arguments: [-1, 0, 1])
    func `an image has at most as many bytes as a source`(more: Int) async throws {
        let size = photo.count
        let server = try TestServer.forPosts { $0.maxSourceBytes = size + more }
        let status = more < 0 ? 413 : 200
        #expect(try await server.post("/_/w:100/", photo).status == status)
        let form = SampleForm().adding("file", photo, fileName: "a.jpg")
        let answer = try await server.post("/_/w:100/", form.body, ["Content-Type": form.type])
        #expect(answer.status == status)
    }

    // MARK: Other requests

    @Test func `without the option, POST is no method`() async throws {
        let server = try TestServer()
        let answer = try await server.post("/_/w:100/", photo.prefix(100))
        #expect(answer.status == 405 && answer.fields["Allow"] == "GET, HEAD")
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func `the URL of a POST has no other method`(method: HTTPMethod) async throws {
        let server = try TestServer.forPosts()
        let answer = try await server.get("/_/w:100/", method: method)
        #expect(answer.status == 405 && answer.fields["Allow"] == "POST, OPTIONS")
    }

    @Test func `renditions are answered as before`() async throws {
        let server = try TestServer.forPosts()
        try server.write(photo, "a.jpg")
        #expect(try await server.get("/_/w:10/plain/local:///a.jpg").outcome == "made")
        #expect(try await server.get("/_/w:10/plain/local:///a.jpg").outcome == "hit")
        #expect(try await server.get("/health").text == "ok\n")
    }

    @Test(arguments: [
        ("/_/plain/local:///a.jpg", 400), ("/_/w:10/plain/local:///a.jpg", 400), ("/_/x:1/", 400), ("/", 400),
        ("/_/fiu:bG9jYWw6Ly8vYS5qcGc/", 400), ("/_/w:10/bG9jYWw6Ly8vYS5qcGc", 400), ("/_/each/each/w:%00/", 400),
    ])
    func `a path that is no list of options is refused`(path: String, status: Int) async throws {
        let server = try TestServer.forPosts()
        #expect(try await server.post(ByteString(path), photo).status == status)
    }

    @Test func `a compressed body is refused`() async throws {
        let server = try TestServer.forPosts()
        #expect(try await server.post("/_/w:10/", photo, ["Content-Encoding": "gzip"]).status == 415)
    }

    @Test func `the log has the options, without signature`() async throws {
        let records = Records()
        let server = try TestServer.forPosts {
            $0.logLevel = .all
            $0.log = { records.add($0) }
        }
        _ = try await server.post("/secret/exp:4102444800/w:100/each/f:webp/", photo)
        let record = try #require(records.all.first)
        #expect(record.rendition == "exp:4102444800/w:100/each/f:webp" && record.source == nil)
        #expect(record.status == 200 && record.outcome == .made)
    }

    private final class Records: Sendable {
        private let records = Locked<[AnswerRecord]>([])
        var all: [AnswerRecord] { records.withLock { $0 } }
        func add(_ record: AnswerRecord) { records.withLock { $0.append(record) } }
    }
}
