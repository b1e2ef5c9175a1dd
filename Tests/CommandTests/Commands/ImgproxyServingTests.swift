import CalotypeTesting
import Foundation
import TestSupport
import Testing

@testable import calotype_command

/// Servers that start with imgproxy's environment, as their clients see them.
struct ImgproxyServingTests {
    private let calotype: Calotype
    private let root: String

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/cat.jpg")
        root = calotype.directory.appending(path: "photos").path
    }

    private func server(_ variables: [String: String], _ flags: String...) throws -> ServerChild {
        let standard = ["IMGPROXY_BIND": "127.0.0.1:0", "IMGPROXY_LOCAL_FILESYSTEM_ROOT": root]
        return try ServerChild(["serve"] + flags, environment: standard.merging(variables) { $1 })
    }

    private func answer(_ server: ServerChild, _ path: String, _ lines: String...) async throws -> String {
        let client = try RawClient(port: server.port)
        try client.get(path, lines: ["Connection: close"] + lines)
        return await client.receive()
    }

    private let cat = "/_/w:10/plain/local:///cat.jpg"

    @Test func `with a secret, only its bearer gets thumbnails, and a check of health needs none`() async throws {
        let server = try server(["IMGPROXY_SECRET": "pA55"])
        #expect(try await answer(server, cat).hasPrefix("HTTP/1.1 403 "))
        #expect(try await answer(server, cat, "Authorization: Bearer pA5").hasPrefix("HTTP/1.1 403 "))
        #expect(try await answer(server, cat, "Authorization: Bearer pA55").hasPrefix("HTTP/1.1 200 "))
        // The hit, which no task answers, needs it, too.
        #expect(try await answer(server, cat).hasPrefix("HTTP/1.1 403 "))
        #expect(try await answer(server, "/health").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `an option that is not in the list is refused in URLs, and permitted in presets`() async throws {
        let server = try server(
            [
                "IMGPROXY_ALLOWED_PROCESSING_OPTIONS": "w,h,pr", "IMGPROXY_PRESETS": "soft=blur:2",
                "IMGPROXY_QUALITY": "50",
            ], "--insecure")
        #expect(try await answer(server, cat).hasPrefix("HTTP/1.1 200 "))
        #expect(try await answer(server, "/_/pr:soft/w:10/plain/local:///cat.jpg").hasPrefix("HTTP/1.1 200 "))
        for option in ["bl:2", "width:10", "rs:fit:10"] {
            let answer = try await answer(server, "/_/\(option)/plain/local:///cat.jpg")
            #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("in presets alone"), "\(option)")
        }
    }

    @Test func `a trusted signature is accepted for every URL`() async throws {
        let key = String(repeating: "73", count: 32)
        let server = try server(["IMGPROXY_KEY": key, "IMGPROXY_SALT": key, "IMGPROXY_TRUSTED_SIGNATURES": "one, two"])
        for (signature, status) in [("one", 200), ("two", 200), ("on", 403), ("_", 403)] {
            let answer = try await answer(server, "/\(signature)/w:10/plain/local:///cat.jpg")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(signature)")
        }
    }

    @Test func `prefix, health path and file names of URLs count as in imgproxy`() async throws {
        let server = try server(
            [
                "IMGPROXY_PATH_PREFIX": "/images/", "IMGPROXY_HEALTH_CHECK_PATH": "/status",
                "IMGPROXY_BASE64_URL_INCLUDES_FILENAME": "true",
            ], "--insecure")
        let encoded = "bG9jYWw6Ly8vY2F0LmpwZw"
        for (path, status) in [
            ("/images\(cat)", 200), (cat, 404), ("/images/_/w:10/\(encoded)/puppy.jpg", 200),
            ("/images/_/w:10/\(encoded)", 200), ("/images/health", 200), ("/health", 200), ("/status", 200),
            ("/imagesX\(cat)", 404),
        ] {
            #expect(try await answer(server, path).hasPrefix("HTTP/1.1 \(status) "), "\(path)")
        }
    }

    @Test func `a source gets its base or its replacement, and its server sees the agent`() async throws {
        let origin = try OriginServer()
        origin.on("/photos/a.jpg", .ok(SamplePhotos.jpeg(width: 64, height: 48)))
        let base = origin.url.absoluteString
        let server = try server(
            [
                "IMGPROXY_ALLOWED_SOURCES": "\(base)/photos/", "IMGPROXY_ALLOW_LOOPBACK_SOURCE_ADDRESSES": "true",
                "IMGPROXY_BASE_URL": "\(base)/", "IMGPROXY_URL_REPLACEMENTS": "mine://*/=photos/${1}.",
                "IMGPROXY_USER_AGENT": "images/1.0", "IMGPROXY_SET_CANONICAL_HEADER": "true",
                "IMGPROXY_MAX_REDIRECTS": "0",
            ], "--insecure")
        for source in ["photos/a.jpg", "mine://a/jpg", "\(base)/photos/a.jpg"] {
            let answer = try await answer(server, "/_/w:10/plain/\(source)")
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(source)")
            #expect(answer.contains("\r\nLink: <\(base)/photos/a.jpg>; rel=\"canonical\"\r\n"))
        }
        #expect(origin.requests.map { $0.fields["User-Agent"] } == ["images/1.0"])
        #expect(try await answer(server, "/_/w:10/plain/local:///cat.jpg").hasPrefix("HTTP/1.1 4"))
    }

    @Test func `a fallback image has the status and the lifetime that the variables name`() async throws {
        let server = try server(
            [
                "IMGPROXY_FALLBACK_IMAGE_URL": "local:///cat.jpg", "IMGPROXY_FALLBACK_IMAGE_HTTP_CODE": "200",
                "IMGPROXY_FALLBACK_IMAGE_TTL": "7",
            ], "--insecure")
        // Made, and then from the cache.
        for _ in 0..<2 {
            let answer = try await answer(server, "/_/w:10/plain/local:///none.jpg@png")
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("\r\nContent-Type: image/png\r\n"))
            #expect(answer.contains("\r\nCache-Control: public, max-age=7"))
        }
        #expect(try await answer(server, "/_/w:x/plain/local:///none.jpg@png").hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `a given file or data is the fallback image of every URL, and a URL may name another`() async throws {
        let mark = SamplePhotos.png(width: 40, height: 20)
        try calotype.write(mark, to: "mark.png")
        for variables in [
            ["IMGPROXY_FALLBACK_IMAGE_PATH": calotype.directory.appending(path: "mark.png").path],
            ["IMGPROXY_FALLBACK_IMAGE_DATA": mark.base64EncodedString()],
        ] {
            let server = try server(variables, "--insecure")
            let answer = try await answer(server, "/_/w:10/plain/local:///none.jpg@png")
            #expect(answer.hasPrefix("HTTP/1.1 404 ") && answer.contains("\r\nContent-Type: image/png\r\n"))
            #expect(try await self.answer(server, cat).hasPrefix("HTTP/1.1 200 "))
            let without = try await self.answer(server, "/_/fiu:/w:10/plain/local:///none.jpg@png")
            #expect(without.hasPrefix("HTTP/1.1 404 ") && without.contains("\r\nContent-Type: text/plain"))
        }
    }

    @Test func `an enforced format takes the place of the one that the URL names`() async throws {
        let server = try server(["IMGPROXY_ENFORCE_WEBP": "true"], "--insecure")
        for (accept, type) in [("image/webp", "webp"), ("image/png", "png")] {
            let answer = try await answer(server, "\(cat)@png", "Accept: \(accept)")
            #expect(answer.contains("\r\nContent-Type: image/\(type)\r\n") && answer.contains("\r\nVary: Accept\r\n"))
        }
    }
}
