import CalotypeBase
import CalotypeCodecs
import CalotypeFuzzSupport
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// What the server answers to wrong requests and wrong sources.
struct BadInputTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
        try server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
    }

    @Test(
        .requirement("V6", "V7", "V20"),
        arguments: [
            ("/_/nonsense:1/plain/local:///a.jpg", "nonsense"), ("/_/w:x/plain/local:///a.jpg", "width"),
            ("/_/w:8193/plain/local:///a.jpg", "width"), ("/_/w:10/plain/local:///a%00.jpg", "NUL"),
            ("/_/w:10/bG9jYWw6Ly8vYQA", "NUL"), ("/_/w:10/***", "base64"), ("/_/w:10/plain/local:///../a.jpg", ".."),
            ("/_/w:10/plain/local:///b/%2E%2E/%2E%2E/a.jpg", ".."),
            ("/_/w:10/plain/local://host/a.jpg", "local:///path"), ("/_/w:10/plain/local:///a.jpg@gif", "gif"),
            ("/_/w:10", "missing"), ("//", "signature"),
        ] as [(ByteString, String)])
    func `a wrong URL is 400, and its fault is named`(target: ByteString, name: String) async throws {
        let answer = try await server.get(target)
        #expect(answer.status == 400)
        #expect(answer.text.contains(name), "\(answer.text)")
        #expect(answer.fields["Cache-Control"] == "no-store")
    }

    @Test func `a URL of more than 8 KB is 414`() async throws {
        let target = ByteString("/_/cb:\(String(repeating: "a", count: 8200))/plain/local:///a.jpg")
        #expect(try await server.get(target).status == 414)
    }

    @Test(
        .requirement("V14"),
        arguments: ["file:///etc/passwd", "FTP://a/b", "gopher://a/b", "data:image/png,a", "a.jpg", "javascript://a"]
            as [ByteString])
    func `a source of another scheme is 400`(source: ByteString) async throws {
        #expect(try await server.get("/_/w:10/\(ByteString(base64: source.bytes))").status == 400)
    }

    @Test(.requirement("V12")) func `a source of the web is 403 unless it is allowed`() async throws {
        #expect(try await server.get("/_/w:10/\(ByteString(base64: "http://127.0.0.1:1/a.jpg".utf8))").status == 403)
    }

    @Test(.requirement("V13")) func `a missing file is 404, and so are a folder and a pipe`() async throws {
        let folder = try server.write(Data(), "folder/empty").deletingLastPathComponent()
        mkfifo(folder.appending(path: "pipe").path, 0o600)
        for path: ByteString in ["none.jpg", "folder", "folder/none", "a.jpg/b", "folder/pipe"] {
            let answer = try await server.get("/_/w:10/plain/local:///\(path)")
            #expect(answer.status == 404, "\(path)")
            #expect(answer.fields["Cache-Control"] == "public, max-age=10")
        }
    }

    @Test(.requirement("V13")) func `a link inside the root works, and one that leads out is 404`() async throws {
        let files = FileManager.default
        let outside = server.root.appending(path: "secret.jpg")
        try SamplePhotos.jpeg(width: 64, height: 64).write(to: outside)
        let root = server.root.appending(path: "files")
        for (name, destination) in [
            ("inside.jpg", "a.jpg"), ("up.jpg", "../secret.jpg"), ("absolute.jpg", outside.path),
            ("self.jpg", "self.jpg"),
            ("magic.jpg", "/proc/self/fd/0"), ("out", ".."),
        ] {
            try files.createSymbolicLink(atPath: root.appending(path: name).path, withDestinationPath: destination)
        }
        #expect(try await server.get("/_/w:10/plain/local:///inside.jpg").status == 200)
        for path: ByteString in ["up.jpg", "absolute.jpg", "self.jpg", "magic.jpg", "out/secret.jpg"] {
            #expect(try await server.get("/_/w:10/plain/local:///\(path)").status == 404, "\(path)")
        }
    }

    @Test(
        .requirement("V18", "V19"),
        arguments: [
            ("page.jpg", Data("<!doctype html><title>No</title>".utf8)), ("empty.jpg", Data()),
            ("cut.jpg", SamplePhotos.jpeg(width: 640, height: 480).prefix(2000)),
            ("cut.png", SamplePhotos.png(width: 640, height: 480).prefix(2000)),
            ("outside.raf", RawFile.raf(SamplePhotos.jpeg(width: 64, height: 48), start: 1 << 20)),
            ("text.raf", RawFile.raf(Data("<html>".utf8))), ("none.raf", RawFile.raf(Data())),
            ("cut.raf", RawFile.raf(SamplePhotos.jpeg(width: 640, height: 480)).prefix(2000)),
        ])
    func `a source that is not a whole image is 422`(name: String, data: Data) async throws {
        try server.write(data, name)
        let answer = try await server.get("/_/w:10/plain/local:///\(name)")
        #expect(answer.status == 422)
        #expect(answer.fields["Cache-Control"] == "public, max-age=10")
        #expect(!answer.text.contains(server.root.path))
    }

    @Test(.requirement("V18")) func `a source with all of its pixels is 200, whatever its end`() async throws {
        let bitmap = SamplePhotos.bitmap(width: 64, height: 48)
        let files: [(String, Data)] = [
            ("a.jpg", try bitmap.encoded(as: .jpeg(quality: 80)).dropLast(2)),
            ("b.jpg", try bitmap.encoded(as: .jpeg(quality: 80, isProgressive: true)).dropLast(2)),
            ("a.png", try bitmap.encoded(as: .png).dropLast() + [0]),
            ("b.png", try bitmap.encoded(as: .png).dropLast(12)),
        ]
        for (name, file) in files {
            try server.write(file, name)
            #expect(try await server.get("/_/w:10/plain/local:///\(name)").status == 200, "\(name)")
        }
    }

    @Test(arguments: RawFile.Kind.allCases)
    func `a camera's raw file is shown by its preview, and not sent unchanged`(kind: RawFile.Kind) async throws {
        let raw = RawFile(
            preview: SamplePhotos.jpeg(width: 64, height: 48), thumbnail: SamplePhotos.jpeg(width: 32, height: 24),
            orientation: 6)
        let name = ByteString("a.\(kind.rawValue)")
        try server.write(raw.data(kind), name.string)
        let answer = try await server.get("/_/w:12/plain/local:///\(name)")
        #expect(answer.status == 200 && answer.format == .jpeg && answer.size == PixelSize(width: 12, height: 16))
        #expect(try await server.get("/_/raw:1/plain/local:///\(name)").status == 422)
    }

    @Test func `a source beyond the limits of the server or of the URL is 422`() async throws {
        let small = try TestServer { $0.maxSourcePixels = 1000 }
        try small.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
        #expect(try await small.get("/_/w:10/plain/local:///a.jpg").status == 422)
        #expect(try await server.get("/_/w:10/msfs:100/plain/local:///a.jpg").status == 422)
        #expect(try await server.get("/_/w:10/msr:0.3/plain/local:///a.jpg").status == 422)
        #expect(try await server.get("/_/w:10/msr:0.4/plain/local:///a.jpg").status == 200)
        #expect(try await server.get("/_/w:10/plain/local:///a.jpg").status == 200)
    }

    @Test(
        .requirement("V35"), arguments: [HTTPMethod(rawValue: "POST"), .put, .delete, HTTPMethod(rawValue: "OPTIONS")])
    func `another method is 405 with Allow`(method: HTTPMethod) async throws {
        let answer = try await server.get("/_/w:10/plain/local:///a.jpg", method: method)
        #expect(answer.status == 405)
        #expect(answer.fields["Allow"] == "GET, HEAD")
    }

    // MARK: Signatures

    private func signed() throws -> (TestServer, URLSigner) {
        let signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F")
        let server = try TestServer { $0.signer = signer }
        try server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
        return (server, signer)
    }

    @Test(.requirement("V1")) func `a signed URL is 200, and every other signature 403`() async throws {
        let (server, signer) = try signed()
        let path: ByteString = "/w:10/plain/local:///a.jpg"
        #expect(try await server.get(signer.signed(path)).status == 200)
        for target: ByteString in ["/_\(path)", "/\(signer.signature(of: "/w:11/plain/local:///a.jpg"))\(path)"] {
            let answer = try await server.get(target)
            #expect(answer.status == 403)
            #expect(answer.fields["Cache-Control"] == "no-store")
        }
    }

    @Test(.requirement("V2")) func `a wrong signature is 403, whatever else is wrong with the URL`() async throws {
        let (server, _) = try signed()
        for path in [
            "/w:10/plain/local:///missing.jpg", "/nonsense:1/plain/local:///a.jpg", "/w:10/plain/local:///../a.jpg",
            "/w:10/plain/ftp://a/b", "/exp:1/w:10/plain/local:///a.jpg",
        ] as [ByteString] {
            #expect(
                try await server.get("/\(ByteString(base64: [UInt8](repeating: 7, count: 32)))\(path)").status == 403)
        }
    }

    @Test func `a signed URL survives proxies that change colons and slashes`() async throws {
        let (server, signer) = try signed()
        let path: ByteString = "/w:10/plain/local:///a.jpg"
        let signature = signer.signature(of: path)
        #expect(try await server.get("/\(signature)/w%3A10/plain/local:///a.jpg").status == 200)
        #expect(try await server.get("/\(signature)/w:10/plain/local:/a.jpg").status == 200)
        #expect(try await server.get("/\(signature)/w:10/plain/local:/b.jpg").status == 403)
    }

    @Test(.requirement("V5")) func `an expired URL is 404, and no answer outlives the URL`() async throws {
        let now = Int(server.clock.wall.now)
        #expect(try await server.get("/_/w:10/exp:\(now - 1)/plain/local:///a.jpg").status == 404)
        let answer = try await server.get("/_/w:10/exp:\(now + 20)/plain/local:///a.jpg")
        #expect(answer.status == 200)
        #expect(answer.fields["Cache-Control"] == "public, max-age=20")
        let later = try await server.get("/_/w:10/exp:\(now + 500)/plain/local:///a.jpg")
        #expect(later.fields["Cache-Control"] == "public, max-age=60")
    }
}
