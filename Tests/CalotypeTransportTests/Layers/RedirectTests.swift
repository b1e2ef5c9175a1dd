import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

struct RedirectTests {
    let origin: OriginServer
    let transport: any Transport

    init() throws {
        origin = try OriginServer()
        transport = CurlTransport().followingRedirects()
        origin.on("/end", .ok(Data("end".utf8)))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is followed, and the response says where it came from`(_ status: Int) async throws {
        origin.on("/start", .redirect(to: "/end", status: status))
        let response = try await transport.get(origin.url("/start"))
        #expect(response.url == origin.url("/end"))
        #expect(try await response.body.collect() == Data("end".utf8))
    }

    @Test(arguments: ["end", "./end?x=1", "//HOST/end", "http://HOST/end", "HTTP://HOST/end"])
    func `every form of Location is understood`(_ form: String) async throws {
        let port = try #require(origin.url.port)
        origin.on("/start", .redirect(to: form.replacingOccurrences(of: "HOST", with: "127.0.0.1:\(port)")))
        #expect(try await transport.body(origin.url("/start")) == Data("end".utf8))
    }

    @Test(
        arguments: [
            ("/end?sig=a%2Bb%3D&n=[1]", "/end?sig=a%2Bb%3D&n=%5B1%5D"), ("/end?a b%20", "/end?a%20b%20"),
            ("/end?a=%&b=%26", "/end?a=%25&b=%26"), ("/end?\u{FC}=%C3%BC|", "/end?%C3%BC=%C3%BC%7C"),
        ])
    func `the target of a redirect is escaped once`(_ location: String, _ expected: String) async throws {
        origin.on("/start", .redirect(to: location))
        #expect(try await transport.body(origin.url("/start")) == Data("end".utf8))
        #expect(origin.requests.last?.target == expected)
    }

    @Test(arguments: ["http://anna:secret@/end", "http://anna:secret@[/end", "//anna:secret@[/end"])
    func `the error for an unusable redirect contains no password`(_ location: String) async throws {
        origin.on("/start", .redirect(to: location))
        let error = await #expect(throws: TransportError.self) { try await transport.body(origin.url("/start")) }
        #expect(error?.code == .redirectRefused)
        #expect(error?.message.contains("secret") == false)
    }

    // The redirecting server used to choose the user and password of a request to any other server.
    @Test(
        arguments: [
            ("", "http://u:pw@HOST/end", nil), ("", "//u@HOST/end", nil), ("", "http://:pw@OTHER/end", nil),
            ("me:mine@", "http://u:pw@HOST/end", "me:mine"), ("me:mine@", "/end", "me:mine"),
            ("me:mine@", "http://OTHER/end", nil), ("me:mine@", "http://u:pw@OTHER/end", nil),
        ] as [(String, String, String?)])
    func `a redirect names no user`(_ own: String, _ form: String, _ expected: String?) async throws {
        let other = try OriginServer()
        other.on("/end", .ok(Data("end".utf8)))
        let hosts = try [origin, other].map { "127.0.0.1:\(try #require($0.url.port))" }
        let location = form.replacingOccurrences(of: "HOST", with: hosts[0])
            .replacingOccurrences(of: "OTHER", with: hosts[1])
        origin.on("/start", .redirect(to: location))
        let start = try #require(URL(string: "http://\(own)\(hosts[0])/start"))
        #expect(try await transport.body(start) == Data("end".utf8))
        let last = try #require((origin.requests + other.requests).last)
        let credentials = expected.map { "Basic \(Data($0.utf8).base64EncodedString())" }
        #expect(last.path == "/end" && last.fields["Authorization"] == credentials.map { ByteString($0) })
    }

    @Test(arguments: [300, 304, 305, 306])
    func `other statuses are answers, whatever Location they carry`(_ status: Int) async throws {
        origin.on("/start", .redirect(to: "/end", status: status))
        #expect(try await transport.get(origin.url("/start")).status == status)
    }

    @Test func `a redirect without Location is an answer`() async throws {
        origin.on("/start", .status(302))
        #expect(try await transport.get(origin.url("/start")).status == 302)
    }

    @Test func `ten redirects are followed, the eleventh is too many`() async throws {
        for step in 0..<11 { origin.on("/\(step)", .redirect(to: "/\(step + 1)")) }
        origin.on("/11", .ok(Data("end".utf8)))
        #expect(try await transport.body(origin.url("/1")) == Data("end".utf8))
        #expect(await transport.failure(origin.url("/0"))?.code == .tooManyRedirects)
    }

    @Test func `a loop ends as too many redirects`() async {
        origin.on("/loop", .redirect(to: "/loop"))
        #expect(await transport.failure(origin.url("/loop"))?.code == .tooManyRedirects)
        #expect(origin.requestCount("/loop") == 11)
    }

    @Test(arguments: [
        "file:///etc/passwd", "data:,x", "ftp://127.0.0.1/a", "javascript:alert(1)", "http://", "http:///a",
    ])
    func `a redirect to anything but http and https is refused`(_ target: String) async {
        origin.on("/start", .redirect(to: target))
        #expect(await transport.failure(origin.url("/start"))?.code == .redirectRefused)
    }

    @Test func `credentials stay with their origin`() async throws {
        let other = try OriginServer()
        origin.on("/start", .redirect(to: "/middle"))
        origin.on("/middle", .redirect(to: other.url("/end").absoluteString))
        let secrets: HTTPFields = ["Authorization": "Bearer 1", "Cookie": "a=b", "Accept": "image/*"]
        _ = try await transport.get(origin.url("/start"), secrets)
        #expect(origin.requests[1].fields["Authorization"] == "Bearer 1")
        #expect(origin.requests[1].fields["Cookie"] == "a=b")
        #expect(other.requests[0].fields["Authorization"] == nil)
        #expect(other.requests[0].fields["Cookie"] == nil)
        #expect(other.requests[0].fields["Accept"] == "image/*")
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `a POST becomes a GET where browsers make it one`(_ status: Int, _ method: String) async throws {
        origin.on("/start", .redirect(to: "/end", status: status))
        let request = HTTPRequest(
            origin.url("/start"), method: .post, fields: ["Content-Type": "text/plain"], body: Data("body".utf8))
        _ = try await transport.send(request)
        #expect(origin.requests[1].method == ByteString(method))
        #expect(origin.requests[1].body == (method == "POST" ? Data("body".utf8) : Data()))
        #expect(origin.requests[1].fields["Content-Type"] == (method == "POST" ? "text/plain" : nil))
    }

    @Test func `a HEAD stays a HEAD`() async throws {
        origin.on("/start", .redirect(to: "/end", status: 303))
        _ = try await transport.send(HTTPRequest(origin.url("/start"), method: .head))
        #expect(origin.requests.map(\.method) == ["HEAD", "HEAD"])
    }

    @Test func `the fragment is inherited unless the target has one`() async throws {
        origin.on("/start", .redirect(to: "/end"))
        #expect(try await transport.get(origin.url("/start#a")).url.fragment == "a")
        origin.on("/start", .redirect(to: "/end#b"))
        #expect(try await transport.get(origin.url("/start#a")).url.fragment == "b")
    }

    // As text they would change: é is one byte in ISO 8859-1, and two in UTF-8.
    @Test(
        arguments: [
            ([0xE9], "/caf%E9"), (Array("\u{E9}".utf8), "/caf%C3%A9"), (Array("e\u{301}".utf8), "/cafe%CC%81"),
        ] as [([UInt8], String)])
    func `bytes of a Location that are not ASCII are asked for as they are`(_ bytes: [UInt8], _ target: String)
        async throws
    {
        let location = ByteString(bytes: Array("/caf".utf8) + bytes)
        origin.on("/start", OriginReply(status: 302, fields: ["Location": location]))
        _ = try await transport.get(origin.url("/start"))
        #expect(origin.requests[1].target == target)
    }

    @Test(arguments: ["\u{212A}ttp://127.0.0.1/", "http\u{37E}//127.0.0.1/", "httP\u{301}://127.0.0.1/"])
    func `a scheme that only Unicode takes for http is no scheme`(_ target: String) async throws {
        origin.on("/start", .redirect(to: target))
        // None of them is a scheme (RFC 3986 §3.1), so each is a path below this origin, or no URL at all.
        if let response = try? await transport.get(origin.url("/start")) {
            #expect(response.url.host == "127.0.0.1" && response.url.port == origin.url.port)
        }
    }
}
