import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

struct ServingTests {
    private let server: TestServer
    private let thumbnail: ByteString = "/_/rs:fit:64:64/plain/local:///a.jpg@png"

    init() throws {
        server = try TestServer()
        try server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
    }

    @Test func `a thumbnail has the size and the format of its URL`() async throws {
        for (format, name) in [(ImageFormat.jpeg, "jpg"), (.png, "png"), (.webp, "webp"), (.avif, "avif")] {
            let answer = try await server.get("/_/rs:fill:60:40/plain/local:///a.jpg@\(name)")
            #expect(answer.status == 200)
            #expect(answer.size == PixelSize(width: 60, height: 40))
            #expect(answer.format == format)
            #expect(answer.fields["Content-Type"] == ByteString(format.mediaType))
            #expect(answer.fields["Vary"] == nil)
        }
    }

    @Test(.requirement("V38")) func `answers are public images and nothing else`() async throws {
        let answer = try await server.get(thumbnail)
        #expect(answer.fields["X-Content-Type-Options"] == "nosniff")
        #expect(answer.fields["Content-Security-Policy"] == "default-src 'none'; sandbox")
        #expect(
            answer.fields["Cache-Control"] == "public, max-age=60, stale-while-revalidate=3600, stale-if-error=86400")
        #expect(answer.fields["Set-Cookie"] == nil)
    }

    // MARK: Formats

    @Test(
        .requirement("V36"),
        arguments: [
            ("", ImageFormat.jpeg), ("image/webp", .webp), ("image/avif,image/webp,*/*", .avif),
            ("image/avif;q=0, image/webp", .webp), ("image/webp;q=0", .jpeg), ("*/*", .jpeg), ("image/*", .jpeg),
            ("IMAGE/WEBP;Q=0.5", .webp),
        ])
    func `without a format in the URL, the client's Accept decides`(accept: String, format: ImageFormat) async throws {
        let answer = try await server.get(
            "/_/w:64/plain/local:///a.jpg", accept.isEmpty ? [:] : ["Accept": ByteString(accept)])
        #expect(answer.format == format)
        #expect(answer.fields["Vary"] == "Accept")
        // From memory, too.
        let again = try await server.get(
            "/_/w:64/plain/local:///a.jpg", accept.isEmpty ? [:] : ["Accept": ByteString(accept)])
        #expect(again.body == answer.body)
        #expect(again.fields["Vary"] == "Accept")
        #expect(again.outcome == "hit")
    }

    @Test func `transparency becomes PNG without another format`() async throws {
        try server.write(SamplePhotos.png(width: 64, height: 64, hasAlpha: true), "clear.png")
        #expect(try await server.get("/_/w:32/plain/local:///clear.png").format == .png)
        #expect(try await server.get("/_/w:32/plain/local:///clear.png@jpg").format == .jpeg)
    }

    @Test func `max_bytes lowers the quality`() async throws {
        let full = try await server.get("/_/w:320/plain/local:///a.jpg@jpg")
        let small = try await server.get("/_/w:320/mb:\(full.body.count / 2)/plain/local:///a.jpg@jpg")
        #expect(small.body.count <= full.body.count / 2)
        #expect(small.size == full.size)
    }

    @Test func `raw and skip_processing send the source itself`() async throws {
        let source = SamplePhotos.jpeg(width: 640, height: 480)
        #expect(try await server.get("/_/raw:1/plain/local:///a.jpg").body == source)
        #expect(try await server.get("/_/skp:jpg/w:10/plain/local:///a.jpg@jpg").body == source)
        #expect(try await server.get("/_/skp:png/w:10/plain/local:///a.jpg@jpg").size?.width == 10)
        try server.write(Data("text".utf8), "a.txt")
        #expect(try await server.get("/_/raw:1/plain/local:///a.txt").status == 422)
    }

    @Test(.requirement("V32")) func `a file name and a disposition change the head alone`() async throws {
        let answer = try await server.get("/_/w:64/fn:my%20cat/att:1/plain/local:///a.jpg@png")
        #expect(
            answer.fields["Content-Disposition"] == "attachment; filename=\"my cat.png\"; filename*=UTF-8''my%20cat.png"
        )
        let separators = try await server.get("/_/w:64/fn:a;b%2Cc=%2F1/plain/local:///a.jpg@png")
        #expect(
            separators.fields["Content-Disposition"]
                == "inline; filename=\"a;b,c=_1.png\"; filename*=UTF-8''a%3Bb%2Cc%3D%2F1.png")
        let foreign = try await server.get("/_/w:64/fn:%C3%BCber%22/plain/local:///a.jpg@png")
        #expect(
            foreign.fields["Content-Disposition"] == "inline; filename=\"_ber_.png\"; filename*=UTF-8''%C3%BCber%22.png"
        )
        let unnamed = try await server.get("/_/w:64/att:1/plain/local:///a.jpg@png")
        #expect(unnamed.fields["Content-Disposition"] == "attachment; filename=\"a.png\"; filename*=UTF-8''a.png")
        let complete = try await server.get("/_/w:64/fn:a.png/plain/local:///a.jpg@png")
        #expect(complete.fields["Content-Disposition"] == "inline; filename=\"a.png\"; filename*=UTF-8''a.png")
        let plain = try await server.get("/_/w:64/plain/local:///a.jpg@png")
        #expect(plain.fields["Content-Disposition"] == nil)
        #expect(plain.fields["ETag"] == answer.fields["ETag"])
        #expect(plain.outcome == "hit")
    }

    // MARK: Caching

    @Test func `the second answer comes from memory, whatever the order of options was`() async throws {
        let first = try await server.get("/_/w:64/h:64/plain/local:///a.jpg@png")
        let second = try await server.get("/x/f:png/h:64/width:64/\(ByteString(base64: "local:///a.jpg".utf8))")
        #expect(first.outcome == "made" && second.outcome == "hit")
        #expect(first.body == second.body)
    }

    @Test(.requirement("V34")) func `entity tags differ by rendition and by source, and hold across restarts`()
        async throws
    {
        let tag = try #require(try await server.get(thumbnail).fields["ETag"])
        #expect(!tag.hasPrefix("W/"))
        #expect(try await server.get("/_/rs:fit:65:64/plain/local:///a.jpg@png").fields["ETag"] != tag)
        try server.write(SamplePhotos.jpeg(width: 640, height: 480, seed: 2), "b.jpg")
        #expect(try await server.get("/_/rs:fit:64:64/plain/local:///b.jpg@png").fields["ETag"] != tag)
        let other = try TestServer()
        try other.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
        #expect(try await other.get(thumbnail).fields["ETag"] == tag)
    }

    @Test(.requirement("V34"), arguments: [false, true])
    func `a client's valid tag gets 304, made before or not`(isStored: Bool) async throws {
        let other = try TestServer()
        try other.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
        let tag = try #require(try await other.get(thumbnail).fields["ETag"])
        if isStored { _ = try await server.get(thumbnail) }
        for condition in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] as [ByteString] where isStored || condition == tag {
            let answer = try await server.get(thumbnail, ["If-None-Match": condition])
            #expect(answer.status == 304, "\(condition)")
            #expect(answer.body.isEmpty)
            #expect(answer.fields["ETag"] == tag)
        }
        #expect(try await server.get(thumbnail, ["If-None-Match": "\"x\""]).status == 200)
    }

    @Test(.requirement("V35", "V44"), arguments: [false, true])
    func `HEAD has the fields of GET, and stores what it has made`(isStored: Bool) async throws {
        if isStored { _ = try await server.get(thumbnail) }
        let head = try await server.get(thumbnail, method: .head)
        #expect(head.status == 200 && head.body.isEmpty)
        let get = try await server.get(thumbnail)
        // The answer to HEAD may come before its image is stored; then GET joins that transfer.
        #expect(server.server.encodes == 1)
        #expect(head.fields["Content-Length"] == "\(get.body.count)")
        for name: CaselessString in ["ETag", "Content-Type", "Cache-Control", "X-Content-Type-Options"] {
            #expect(head.fields[name] == get.fields[name], "\(name)")
        }
    }

    @Test(.requirement("V35", "V44")) func `ranges are parts of a stored result, and the whole of a new one`()
        async throws
    {
        let new = try await server.get(thumbnail, ["Range": "bytes=0-9"])
        #expect(new.status == 200)
        let part = try await server.get(thumbnail, ["Range": "bytes=0-9"])
        #expect(part.status == 206)
        #expect(part.body == new.body.prefix(10))
        #expect(try await server.get(thumbnail, ["Range": "bytes=9999999-"]).status == 416)
        #expect(try await server.get(thumbnail, ["Range": "nonsense"]).status == 200)
    }

    @Test(
        .requirement("V44"),
        arguments: [
            ["Cache-Control": "no-cache"], ["Cache-Control": "no-store"], ["Pragma": "no-cache"],
            ["Cache-Control": "max-age=0"],
        ] as [HTTPFields])
    func `a client cannot have a result made again`(fields: HTTPFields) async throws {
        _ = try await server.get(thumbnail)
        #expect(try await server.get(thumbnail, fields).outcome == "hit")
    }

    @Test(.requirement("V33", "V42"))
    func `after a minute an unchanged file is confirmed, and a changed one made anew`() async throws {
        let first = try await server.get(thumbnail)
        server.clock.advance(by: .seconds(61 + 3600))
        let second = try await server.get(thumbnail)
        #expect(second.outcome == "revalidated")
        #expect(second.body == first.body)
        try server.write(SamplePhotos.jpeg(width: 640, height: 480, seed: 2), "a.jpg")
        #expect(try await server.get(thumbnail).outcome == "hit")
        server.clock.advance(by: .seconds(61 + 3600))
        let third = try await server.get(thumbnail)
        #expect(third.body != first.body && third.fields["ETag"] != first.fields["ETag"])
    }

    @Test(.requirement("V37")) func `a missing file is asked for again after 10 seconds`() async throws {
        let target: ByteString = "/_/w:10/plain/local:///late.jpg@jpg"
        #expect(try await server.get(target).status == 404)
        try server.write(SamplePhotos.jpeg(width: 640, height: 480), "late.jpg")
        #expect(try await server.get(target).status == 404)
        server.clock.advance(by: .seconds(11))
        #expect(try await server.get(target).status == 200)
    }

    @Test(.requirement("V22")) func `100 clients at once get one result, made once`() async throws {
        let answers = try await withThrowingTaskGroup(of: TestServer.Answer.self) { group in
            for _ in 0..<100 { group.addTask { [server, thumbnail] in try await server.get(thumbnail) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers.map(\.body)).count == 1)
        #expect(answers.allSatisfy { $0.status == 200 })
        let alone = answers.filter { $0.outcome == "made" && $0.fields["Cache-Status"]?.contains("collapsed") != true }
        #expect(alone.count == 1)
    }

    @Test(.requirement("V34")) func `results on disk outlive the server`() async throws {
        let store = TemporaryFolder()
        let source = SamplePhotos.jpeg(width: 640, height: 480)
        let first = try TestServer { $0.store = store.path }
        try first.write(source, "a.jpg")
        let made = try await first.get(thumbnail)
        await first.close()
        let second = try TestServer { $0.store = store.path }
        try second.write(source, "a.jpg")
        let found = try await second.get(thumbnail)
        #expect(found.outcome == "hit")
        #expect(found.body == made.body)
    }

    // MARK: Other

    @Test func `presets, a watermark and options that are left out`() async throws {
        let mark = try DecoderRegistry.standard.decode(SamplePhotos.png(width: 16, height: 16))
        let server = try TestServer {
            $0.watermark = mark
            $0.grammar.presets = try Presets("thumb=rs:fill:40:30")
            $0.grammar.ignoresUnsupported = true
        }
        try server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
        let plain = try await server.get("/_/pr:thumb/plain/local:///a.jpg@png")
        #expect(plain.size == PixelSize(width: 40, height: 30))
        let marked = try await server.get("/_/pr:thumb/wm:1:soea/plain/local:///a.jpg@png")
        #expect(marked.size == plain.size && marked.body != plain.body)
        let ignored = try await server.get("/_/pr:thumb/dd:1/plain/local:///a.jpg@png")
        #expect(ignored.body == plain.body)
    }

    @Test func `a query is not part of the URL`() async throws {
        let plain = try await server.get(thumbnail)
        let queried = try await server.get("\(thumbnail)?v=2")
        #expect(queried.body == plain.body)
        #expect(queried.outcome == "hit")
    }

    @Test func `a root that is not a folder is an error at the start`() {
        #expect(throws: ServerError.self) { try RenditionServer(ServerSetup(root: "/nowhere/at/all")) }
    }
}
