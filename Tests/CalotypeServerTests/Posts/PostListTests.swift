import CalotypeBase
import CalotypeCodecs
import CalotypeComparison
import CalotypeHTTP
import CalotypeTesting
import CalotypeURLs
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// Several results of one image.
struct PostListTests {
    private let photo = SamplePhotos.jpeg(width: 640, height: 480)

    @Test func `five sizes come from one decode, in the order asked`() async throws {
        let server = try TestServer.forPosts()
        let answer = try await server.post(
            "/_/f:webp/each/w:400/each/w:50/each/w:300/f:png/each/h:60/each/rs:fill:80:80/", photo)
        #expect(answer.status == 200)
        let parts = answer.parts
        #expect(parts.map(\.content.pixelSize?.width) == [400, 50, 300, 80, 80])
        #expect(parts.map(\.content.imageFormat) == [.webp, .webp, .png, .webp, .webp])
        #expect(parts[2].head.contains("name=\"3\"; filename=\"3.png\"") && parts[2].head.contains("image/png"))
        #expect(server.server.renditions.work.decodes == 1 && server.server.encodes == 5)
        await waitUntil { server.isEmptied }
    }

    @Test func `a list with one result is a list`() async throws {
        let answer = try await TestServer.forPosts().post("/_/each/w:40/f:png/", photo)
        #expect(answer.parts.map(\.content.pixelSize?.width) == [40])
    }

    @Test(arguments: ["each", "w:100/each", "each/each/"])
    func `each result may have no options of its own`(path: String) async throws {
        let answer = try await TestServer.forPosts().post(ByteString("/_/\(path)"), photo)
        #expect(answer.status == 200 && answer.parts.count == (path == "each/each/" ? 2 : 1))
    }

    @Test func `steps, crops and orientation are those of single results`() async throws {
        let server = try TestServer.forPosts()
        let turned = photo.turned(6)
        let options: [ByteString] = [
            "rs:fill:100:100/g:no", "c:200:100:nowe/w:100", "rot:90/w:120", "bl:2/w:90", "pd:10/bg:ff0000/w:80",
            "t:10/w:70", "fl:1:1/w:64", "g:sm/rs:fill:60:90", "ar:0/w:100",
        ]
        let list = try await server.post("/_/f:png/each/\(options.joined(separator: "/each/"))/", turned)
        #expect(list.status == 200 && list.parts.count == options.count)
        for (part, option) in zip(list.parts, options) {
            let single = try await server.post("/_/f:png/\(option)/", turned)
            #expect(part.content.pixelSize == single.size, "\(option)")
            let score = try similarity(part.content, single.body)
            #expect(score > 85, "\(option): \(score)")
        }
    }

    /// How alike two images of one size look, in points of SSIMULACRA2.
    private func similarity(_ one: Data, _ other: Data) throws -> Double {
        let bitmaps = try [one, other].map { try DecoderRegistry.standard.decode($0) }
        return try #require(PerceptualSimilarity.Reference(bitmaps[0]).score(of: bitmaps[1]))
    }

    @Test func `facts are a result in a list, and alone`() async throws {
        let server = try TestServer.forPosts()
        try server.write(photo, "a.jpg")
        let named = try await server.get("/info/_/bh:4:3/plain/local:///a.jpg")
        let alone = try await server.post("/info/_/bh:4:3/", photo)
        #expect(alone.status == 200 && alone.fields["Content-Type"] == "application/json")
        #expect(alone.body == named.body && alone.fields["Cache-Control"] == "no-store")
        let list = try await server.post("/_/each/w:40/each/info/bh:4:3/each/w:20/", photo)
        #expect(list.parts.count == 3 && list.parts[1].content == alone.body)
        #expect(list.parts[1].head.contains("filename=\"2.json\""))
        await waitUntil { server.isEmptied }
    }

    @Test func `a result that fails is JSON in its place`() async throws {
        let server = try TestServer.forPosts()
        let answer = try await server.post("/_/f:png/each/w:40/each/msr:0.1/w:30/each/w:20/", photo)
        #expect(answer.status == 200)
        let parts = answer.parts
        #expect(parts.count == 3 && parts[0].content.pixelSize?.width == 40 && parts[2].content.pixelSize?.width == 20)
        #expect(parts[1].head.contains("application/json") && !parts[1].head.contains("filename"))
        let object = try #require(try JSONSerialization.jsonObject(with: parts[1].content) as? [String: Any])
        #expect(object["status"] as? Int == 413)
    }

    @Test func `if nothing can be made, the answer is the first failure`() async throws {
        let server = try TestServer.forPosts()
        #expect(try await server.post("/_/each/w:40/each/w:30/", photo.prefix(900)).status == 422)
        #expect(try await server.post("/_/each/w:40/each/w:30/", Data("%PDF-1.7".utf8)).status == 415)
        await waitUntil { server.isEmptied }
    }

    @Test func `an animation moves in each result that may`() async throws {
        let server = try TestServer.forPosts()
        let gif = SampleAnimations.gif(width: 40, height: 30, colors: [0xFF0000, 0x0000FF])
        let answer = try await server.post("/_/each/w:20/f:webp/each/w:10/f:png/each/w:12/f:webp/", gif)
        let frames = try answer.parts.map { part in try DecoderRegistry.standard.header(of: part.content).isAnimated }
        #expect(frames == [true, false, true])
    }

    @Test func `a client that accepts an archive gets one`() async throws {
        let server = try TestServer.forPosts()
        let answer = try await server.post(
            "/_/f:png/each/w:40/fn:cat/each/w:30/fn:cat/each/msr:0.1/", photo, ["Accept": "application/x-tar"])
        #expect(answer.fields["Content-Type"] == "application/x-tar" && answer.body.count.isMultiple(of: 512))
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try answer.body.write(to: URL(filePath: "\(folder.path)/all.tar"))
        let tar = Process()
        tar.executableURL = URL(filePath: "/bin/tar")
        tar.arguments = ["--extract", "--file", "\(folder.path)/all.tar", "--directory", folder.path]
        try tar.run()
        tar.waitUntilExit()
        #expect(tar.terminationStatus == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["2-cat.png", "3.json", "all.tar", "cat.png"])
        #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/cat.png")).pixelSize?.width == 40)
        #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/2-cat.png")).pixelSize?.width == 30)
    }

    @Test(arguments: [-1, 0, 1])
    func `a URL asks for at most as many results as the server makes`(more: Int) async throws {
        let server = try TestServer.forPosts { $0.post.resultLimit = 3 }
        let path = String(repeating: "each/w:10/", count: 3 + more)
        #expect(try await server.post(ByteString("/_/\(path)"), photo).status == (more > 0 ? 400 : 200))
    }
}
