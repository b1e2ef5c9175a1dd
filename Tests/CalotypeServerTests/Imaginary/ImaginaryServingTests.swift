import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import Foundation
import TestSupport
import Testing
import Waiting

@testable import CalotypeServer

/// The port for imaginary's requests.
struct ImaginaryServingTests {
    private let photo = SamplePhotos.jpeg(width: 640, height: 480)

    @Test func `a result has its size in fields, and no cache may keep it`() async throws {
        let server = try TestServer.forImaginary()
        let answer = try await server.imaginary("/fit?width=200&height=200&type=png", photo)
        #expect(answer.status == 200 && answer.format == .png && answer.size == PixelSize(width: 200, height: 150))
        #expect(
            answer.fields["Content-Type"] == "image/png" && answer.fields["Content-Length"] == "\(answer.body.count)")
        #expect(answer.fields["Image-Width"] == "200" && answer.fields["Image-Height"] == "150")
        #expect(answer.fields["Cache-Control"] == "no-store" && answer.fields["X-Content-Type-Options"] == "nosniff")
        await waitUntil { server.isIdle }
    }

    @Test(
        arguments: [
            ("/resize?width=64", 64, 48), ("/crop?width=64&height=64", 64, 64),
            ("/smartcrop?width=64&height=64", 64, 64),
            ("/crop?width=64", 64, 480), ("/enlarge?width=800&height=800", 800, 800), ("/zoom?factor=1", 1280, 960),
            ("/thumbnail?width=64&height=64", 64, 64), ("/extract?top=10&left=20&areawidth=30&areaheight=40", 30, 40),
            ("/rotate?rotate=90", 480, 640), ("/flip", 640, 480), ("/flop", 640, 480), ("/autorotate", 640, 480),
            ("/convert?type=png", 640, 480), ("/blur?sigma=2", 640, 480),
            ("/resize?width=100&height=100&extend=white", 100, 100),
        ] as [(ByteString, Int, Int)])
    func `each operation gives an image of its size`(target: ByteString, width: Int, height: Int) async throws {
        let answer = try await TestServer.forImaginary().imaginary(target, photo)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.size == PixelSize(width: width, height: height))
        #expect(answer.format == (target.contains("png") ? .png : .jpeg))
    }

    @Test func `an image may come as the file of a form`() async throws {
        let server = try TestServer.forImaginary()
        let form = SampleForm().adding("file", photo, fileName: "a.jpg")
        let answer = try await server.imaginary("/fit?width=64&height=64", form.body, ["Content-Type": form.type])
        #expect(answer.status == 200 && answer.size?.width == 64)
    }

    @Test func `the type auto follows Accept, and the answer says so`() async throws {
        let server = try TestServer.forImaginary()
        let webp = try await server.imaginary("/resize?width=64&type=auto", photo, ["Accept": "image/webp,image/png"])
        #expect(webp.format == .webp && webp.fields["Vary"] == "Accept")
        let named = try await server.imaginary("/resize?width=64&type=jpeg", photo, ["Accept": "image/webp"])
        #expect(named.format == .jpeg && named.fields["Vary"] == nil)
        let neither = try await server.imaginary("/resize?width=64", photo, ["Accept": "image/webp"])
        #expect(neither.format == .jpeg)
    }

    @Test func `information about an image is that of its header`() async throws {
        let server = try TestServer.forImaginary()
        let answer = try await server.imaginary("/info", photo.turned(6))
        #expect(
            answer.text == #"{"channels":3,"hasAlpha":false,"height":480,"orientation":6,"space":"srgb","type":"jpeg","#
                + #""width":640}"#)
        let clear = try await server.imaginary("/info", SamplePhotos.png(width: 8, height: 4, hasAlpha: true))
        #expect(
            clear.text.contains(#""channels":4,"hasAlpha":true,"height":4"#) && clear.text.contains(#""type":"png""#))
        #expect(try await server.imaginary("/info", Data("no image".utf8)).status == 415)
        await waitUntil { server.isIdle }
    }

    @Test func `health needs no image`() async throws {
        let server = try TestServer.forImaginary()
        let answer = try await server.imaginary("/health", nil, method: .get)
        #expect(answer.status == 200 && answer.fields["Content-Type"] == "application/json")
        #expect(answer.text.contains("\"uptime\":0") && answer.text.contains("\"cpus\":"))
        #expect(try await server.get("/health").text == "ok\n")
    }

    // MARK: Key

    @Test(
        arguments: [
            ("&key=secret", nil, true), ("", "secret", true), ("&key=wrong", "secret", true), ("&key=secret", "", true),
            ("&key=secret", "wrong", false), ("", nil, false), ("&key=", nil, false), ("&key=secre", nil, false),
            ("&key=secrets", nil, false), ("", "SECRET", false), ("&Key=secret", nil, false),
        ] as [(ByteString, ByteString?, Bool)])
    func `a request needs the key in the field, or else in the query`(
        query: ByteString, field: ByteString?, isAdmitted: Bool
    ) async throws {
        let server = try TestServer.forImaginary(key: "secret")
        var fields: HTTPFields = [:]
        fields["API-Key"] = field
        let answer = try await server.imaginary("/resize?width=64\(query)", photo, fields)
        #expect(answer.status == (isAdmitted ? 200 : 401))
        if !isAdmitted {
            #expect(answer.failure?.contains("API key") == true && answer.fields["WWW-Authenticate"] == "API-Key")
        }
        let health = try await server.imaginary("/health?\(query.dropFirst())", nil, method: .get, fields)
        #expect(health.status == answer.status)
    }

    @Test func `no log and no answer has the key`() async throws {
        let records = Log<AnswerRecord>()
        let server = try TestServer.forImaginary(key: "secret") { setup in
            setup.options.log.level = .all
            setup.options.log.add = { records.add($0) }
        }
        for (target, status) in [
            ("/resize?width=64&key=secret", 200), ("/resize?width=x&key=secret", 400), ("/resize?key=secret%", 401),
            ("/re?key=secret", 404), ("/pipeline?operations=[&key=secret", 400), ("/info?%6Bey=secret", 200),
            ("/resize?width=64&amp;key=secret", 401),
        ] as [(ByteString, Int)] {
            let answer = try await server.imaginary(target, photo)
            #expect(answer.status == status, "\(target)")
            #expect(status == 200 || answer.failure?.contains("secret") == false)
        }
        let cut = try await server.imaginary("/health?key=secret", nil, method: .get)
        #expect(cut.status == 200)
        let texts = records.entries.map { "\($0)" }
        #expect(texts.count == 8 && texts.allSatisfy { !$0.contains("secret") && $0.contains("rendition") })
        #expect(records.entries.contains { $0.rendition == "/resize?width=64&key=…" })
    }

    @Test func `without a key, pages of other sites are refused`() async throws {
        let server = try TestServer.forImaginary()
        for fields in [["Origin": "https://example.com"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"]]
            as [HTTPFields]
        {
            let answer = try await server.imaginary("/flip", photo, fields)
            #expect(answer.status == 403 && answer.failure?.contains("origin") == true)
        }
        let keyed = try TestServer.forImaginary(key: "secret")
        #expect(try await keyed.imaginary("/flip?key=secret", photo, ["Origin": "https://example.com"]).status == 200)
    }

    // MARK: What is refused

    @Test(
        arguments: [
            (.get, "/fit?width=3&height=3", 405, "POST"), (.head, "/fit?width=3&height=3", 405, "POST"),
            (.put, "/info", 405, "POST"), (.get, "/pipeline", 405, "POST"), (.post, "/health", 405, "GET"),
            (.head, "/health", 405, "GET"), (.get, "/", 404, nil), (.post, "/_/w:10/plain/local:///a.jpg", 404, nil),
            (.get, "/form", 404, nil), (.get, "/.calotype/metrics", 404, nil),
        ] as [(HTTPMethod, ByteString, Int, ByteString?)])
    func `a wrong method is refused with the one to take, and a wrong path is not found`(
        method: HTTPMethod, target: ByteString, status: Int, allowed: ByteString?
    ) async throws {
        let server = try TestServer.forImaginary()
        let answer = try await server.imaginary(target, method == .post || method == .put ? photo : nil, method: method)
        #expect(answer.status == status && answer.fields["Allow"] == allowed)
        #expect(method == .head ? answer.body.isEmpty : answer.failure != nil)
    }

    @Test func `a body that is no image is refused by its problem`() async throws {
        let server = try TestServer.forImaginary()
        for (body, status, problem) in [
            (Data("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n".utf8), 415, "no image"),
            (Data("%!PS-Adobe-3.0\n".utf8), 415, "no image"), (Data("text".utf8), 415, "no image"),
            (photo.prefix(photo.count / 2), 422, "damaged"),
        ] {
            let answer = try await server.imaginary("/fit?width=64&height=64&type=jpeg", body)
            #expect(answer.status == status && answer.failure?.contains(problem) == true, "\(answer.text)")
        }
        for body in [nil, Data()] {
            let answer = try await server.imaginary("/fit?width=64&height=64", body)
            #expect(answer.status == 400 && answer.failure?.contains("body") == true)
        }
        let form = SampleForm().adding("a", Data("1".utf8)).adding("b", Data("2".utf8))
        #expect(
            try await server.imaginary("/flip", form.body, ["Content-Type": form.type]).failure?.contains("form")
                == true)
        #expect(try await server.imaginary("/flip", photo, ["Content-Encoding": "gzip"]).status == 415)
        await waitUntil { server.isIdle }
    }

    @Test func `an image beyond the limit is a 413`() async throws {
        let server = try TestServer.forImaginary { $0.maxSourceBytes = 2000 }
        #expect(try await server.imaginary("/flip", photo).status == 413)
        await waitUntil { server.isIdle }
    }

    @Test func `a wrong parameter is refused before the body is read`() async throws {
        let server = try TestServer.forImaginary()
        let answer = try await server.imaginary("/fit?width=64&height=abc", photo)
        #expect(answer.status == 400)
        #expect(answer.failure == "fit: parameter \"height\": \"abc\" is not a number")
        #expect(server.server.imaginary?.uploads.count == 0)
    }

    @Test func `no request has the server load or open anything`() async throws {
        let requests = Locked(0)
        let other = try Listener(options: Listener.Options()) { _ in
            requests.withLock { $0 += 1 }
            return ListenerResponse(body: Data())
        }
        defer { other.stop() }
        let server = try TestServer.forImaginary()
        let url = ByteString(other.url.absoluteString).percentEncoded { $0.isUnreserved }
        for name in ["url", "file", "image"] as [ByteString] {
            #expect(try await server.imaginary("/resize?width=64&\(name)=\(url)", photo).status == 200)
            #expect(try await server.imaginary("/resize?width=64&\(name)=\(url)", nil).status == 400)
            #expect(try await server.imaginary("/resize?width=64&\(name)=\(url)", nil, method: .get).status == 405)
        }
        #expect(try await server.imaginary("/resize?width=64&file=/etc/passwd", nil).status == 400)
        #expect(try await server.imaginary("/watermarkimage?image=\(url)", photo).status == 400)
        let mark: ByteString = "[{\"operation\":\"watermarkImage\",\"params\":{\"image\":\"\(other.url)\"}}]"
        #expect(try await server.pipeline(mark, photo).failure?.contains("\"image\"") == true)
        #expect(requests.withLock { $0 } == 0)
    }

    @Test func `hostile operations are a 400`() async throws {
        let server = try TestServer.forImaginary()
        let deep = ByteString(String(repeating: "[", count: 10_000))
        let many = ByteString("[\(Array(repeating: "{}", count: 10_000).joined(separator: ","))]")
        for operations in ["nonsense", #"[{"operation":"wave"}]"#] as [ByteString] {
            let answer = try await server.pipeline(operations, photo)
            #expect(answer.status == 400 && answer.failure?.contains("operation") == true, "\(answer.text)")
        }
        // A target has no brackets, and at most 16 KB.
        for operations in [deep, many] {
            let answer = try await server.imaginary("/pipeline?operations=\(operations)", photo)
            #expect([400, 414].contains(answer.status))
        }
        await waitUntil { server.isIdle }
    }

    @Test func `the port ends with its server`() async throws {
        let server = try TestServer.forImaginary()
        async let answer = server.imaginary("/blur?sigma=20", photo)
        #expect(try await answer.status == 200)
        await server.close()
        await #expect(throws: (any Error).self) { try await server.imaginary("/flip", photo) }
    }
}
