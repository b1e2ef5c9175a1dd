import CalotypeBase
import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §3 and §5.2.2: which responses are stored, and which of their fields.
struct StoringTests {
    static let directives: [Exchange] = [
        Exchange("§5.2.2.7: private, shared", Exchange.shared, ["Cache-Control": "private, max-age=60"], .notStored),
        Exchange("§5.2.2.7: private, alone", Exchange.alone, ["Cache-Control": "private, max-age=60"], .served),
        Exchange(
            "§3: private makes any status storable", Exchange.alone, status: 201,
            ["Cache-Control": "private", "ETag": "\"a\""], .validated),
        Exchange("§5.2.2.5: no-store", ["Cache-Control": "no-store"], .notStored),
        Exchange("§5.2.2.5: in any case", ["Cache-Control": "No-StOrE", "ETag": "\"a\""], .notStored),
        Exchange("§5.2.2.5: though fresh", ["Cache-Control": "max-age=60, no-store", "Expires": "@60"], .notStored),
        Exchange(
            "§5.2.2.5: on another line", ["Cache-Control": "max-age=60", "Cache-Control": "no-store"], .notStored),
        Exchange("§5.2.2.5: not inside of quotes", ["Cache-Control": "max-age=60, a=\"no-store\""], .served),
        Exchange("§5.2.2.5: behind an open quote", ["Cache-Control": "max-age=60, a=\"b, no-store"], .notStored),
        Exchange(
            "§5.2.2.5: on a line below an open quote",
            ["Cache-Control": "max-age=60, a=\"b", "Cache-Control": "no-store"],
            .notStored),
        Exchange(
            "§5.2.2.5: though Connection names the field",
            ["Connection": "Cache-Control", "Cache-Control": "no-store", "Expires": "@60"], .notStored),
        Exchange("a number behind an open quote", ["Cache-Control": "max-age=60, a=\"max-age=2"], after: 1, .served),
        Exchange("and its end", ["Cache-Control": "max-age=60, a=\"max-age=2"], after: 3, .forwarded),
        Exchange(
            "§5.2.1.5: a request's no-store behind an open quote", ["Cache-Control": "max-age=60"],
            first: ["Cache-Control": "a=\"no-store"], .notStored),
        Exchange("§5.2.2.4: no-cache", ["Cache-Control": "no-cache", "ETag": "\"a\""], after: 0, .validated),
        Exchange(
            "§5.2.2.4: in any case, though fresh", ["Cache-Control": "max-age=60, No-CaChE", "ETag": "\"a\""],
            .validated),
        Exchange("§5.2.2.4: with nothing to validate by", ["Cache-Control": "max-age=60, no-cache"], .notStored),
        Exchange(
            "§3: no-cache is no permission to store any status", status: 418,
            ["Cache-Control": "no-cache", "ETag": "\"a\""], .notStored),
        Exchange(
            "§5.2.2.4: for one field", ["Cache-Control": "no-cache=\"a\"", "Cache-Control": "max-age=60", "A": "1"],
            .served),
        Exchange(
            "§5.2.2.4: for a field without quotes", ["Cache-Control": "no-cache=a, max-age=60", "A": "1"], .served),
        Exchange(
            "§5.2.2.4: for no field is for all", ["Cache-Control": "no-cache=\"\", max-age=60", "ETag": "\"a\""],
            .validated),
        Exchange(
            "§5.2.2.4: for one and for all is for all",
            ["Cache-Control": "no-cache=\"a\", no-cache, max-age=60", "ETag": "\"a\""], .validated),
        Exchange("§5.2.2.7: private for one field", ["Cache-Control": "private=\"a\", max-age=60", "A": "1"], .served),
        Exchange("§5.2.2.2: must-revalidate, fresh", ["Cache-Control": "max-age=60, must-revalidate"], .served),
        Exchange(
            "§5.2.2.2: must-revalidate, stale", ["Cache-Control": "max-age=2, must-revalidate", "ETag": "\"a\""],
            .validated),
        Exchange(
            "§5.2.2.3: must-understand, known", ["Cache-Control": "max-age=60, no-store, must-understand"], .served),
        Exchange(
            "§5.2.2.3: must-understand, unknown", status: 599,
            ["Cache-Control": "max-age=60, no-store, must-understand"], .notStored),
        Exchange(
            "§5.2.2.3: unknown, though no-store is missing", status: 599,
            ["Cache-Control": "max-age=60, must-understand"], .notStored),
        Exchange(
            "§5.2.1.5: the request says no-store", ["Cache-Control": "max-age=60"],
            first: ["Cache-Control": "no-store"], .notStored),
        Exchange("§3: Set-Cookie is no reason", ["Cache-Control": "max-age=60", "Set-Cookie": "a=b"], .served),
        Exchange(
            "§3: nor is Cookie", ["Cache-Control": "max-age=60"], first: ["Cookie": "a"], second: ["Cookie": "b"],
            .served),
        Exchange(
            "§3.5: Authorization, fresh", Exchange.shared, ["Expires": "@2592000"], first: ["Authorization": "A"],
            .notStored),
        Exchange(
            "§3.5: Authorization, alone", Exchange.alone, ["Expires": "@2592000"], first: ["Authorization": "A"],
            .served),
        Exchange(
            "§3.5: Authorization and public", ["Cache-Control": "max-age=60, public"], first: ["Authorization": "A"],
            .served),
        Exchange(
            "§3.5: Authorization and must-revalidate", ["Cache-Control": "max-age=60, must-revalidate"],
            first: ["Authorization": "A"], .served),
        Exchange(
            "§3.5: Authorization and s-maxage", Exchange.shared, ["Cache-Control": "s-maxage=60"],
            first: ["Authorization": "A"], .served),
        Exchange(
            "§3.5: Authorization in the second", ["Cache-Control": "max-age=60"], second: ["Authorization": "A"],
            .served),
        Exchange(
            "RFC 5861 §3: useful stale", ["Cache-Control": "max-age=0, stale-while-revalidate=60"], .servedMeanwhile),
    ]

    @Test(arguments: directives)
    func `what is stored is what the directives allow`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    static let statuses = [
        200, 201, 203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 403, 404, 410, 418, 451, 499, 500, 502, 503, 504,
        599,
    ]

    @Test(.requirement("RFC 9111 §3"), arguments: statuses)
    func `every final status is stored where freshness is explicit, and not used stale`(_ status: Int) throws {
        let fresh: HTTPFields = [
            "Cache-Control": "max-age=100000", "Expires": "@100000", "Last-Modified": "@0", "Date": "@0",
        ]
        try Exchange("", status: status, fresh, .served).check()
        let stale: HTTPFields = ["Expires": "@-5000", "Last-Modified": "@-100000", "Date": "@0"]
        try Exchange("", status: status, stale, .validated).check()
    }

    @Test(.requirement("RFC 9111 §3"), arguments: [100, 102, 103, 304, 412, 416])
    func `what is not final, or for this request alone, is not stored`(_ status: Int) throws {
        let decision = CacheRules().storing(
            try get(), status: status, fields: ["Cache-Control": "max-age=60"], requestTime: noon, responseTime: noon)
        #expect(decision == .no(.status))
    }

    @Test(
        .requirement("RFC 9111 §3"),
        arguments: ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "QUERY", "get"] as [ByteString])
    func `answers to other methods are not for later requests`(_ method: ByteString) throws {
        let decision = CacheRules().storing(
            try get(method: HTTPMethod(rawValue: method)), status: 200, fields: ["Cache-Control": "max-age=60"],
            requestTime: noon, responseTime: noon)
        #expect(decision == .no(.method))
    }

    static let posts: [(String, HTTPFields, Bool)] = [
        ("its own URI", ["Content-Location": ByteString(pictureURL), "Cache-Control": "max-age=60"], true),
        ("its own path", ["Content-Location": "/picture", "Expires": "@60"], true),
        ("empty, which is itself", ["Content-Location": "", "Expires": "@60"], true),
        ("relative", ["Content-Location": "picture", "Expires": "@60"], true),
        ("another path", ["Content-Location": "/other", "Expires": "@60"], false),
        ("another origin", ["Content-Location": "http://other.test/picture", "Expires": "@60"], false),
        ("none", ["Expires": "@60"], false),
        ("no freshness", ["Content-Location": "/picture", "ETag": "\"a\""], false),
        ("stale", ["Content-Location": "/picture", "Expires": "@-60", "ETag": "\"a\""], false),
    ]

    @Test(.requirement("RFC 9110 §9.3.3"), arguments: posts)
    func `POST is stored where it brings what GET would`(
        _ location: String, _ fields: HTTPFields, _ isStored: Bool
    ) throws {
        let decision = CacheRules(.shared).storing(
            try get(method: .post), status: 200, fields: fields.dated, requestTime: noon, responseTime: noon)
        guard case .store(let head) = decision else {
            #expect(!isStored, "\(location)")
            return
        }
        #expect(isStored, "\(location)")
        let ended = try #require(head.ended(bodyLength: 5, isComplete: true))
        guard case .serve = CacheRules(.shared).decide(try get(), variants: [ended], now: noon + 3) else {
            Issue.record("not served")
            return
        }
    }

    static let kept = [
        "Test", "X-Test", "Content-Foo", "X-Content-Foo", "Content-Encoding", "Content-Location", "Content-MD5",
        "Content-Range", "Content-Security-Policy", "Content-Type", "Clear-Site-Data", "ETag", "Public-Key-Pins",
        "Set-Cookie", "Set-Cookie2", "X-Frame-Options", "X-XSS-Protection", "WWW-Authenticate", "Via", "Warning", "Age",
    ]

    @Test(.requirement("RFC 9111 §3.1"), arguments: kept)
    func `end-to-end fields are stored`(_ name: String) throws {
        #expect(
            try stored(["Cache-Control": "max-age=60", CaselessString(name): "a, b"]).fields[CaselessString(name)]
                == "a, b")
    }

    static let dropped: [CaselessString] = [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
        "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
    ]

    @Test(.requirement("RFC 9111 §3.1", "RFC 9110 §7.6.1"), arguments: dropped)
    func `those of the connection and of the proxy are not`(_ name: CaselessString) throws {
        for spelling in [name, CaselessString(name.lowercased)] {
            #expect(try stored(["Cache-Control": "max-age=60", spelling: "a"]).fields[name] == nil)
        }
    }

    @Test(.requirement("RFC 9111 §3.1")) func `nor are those that Connection names`() throws {
        let fields: HTTPFields = [
            "Cache-Control": "max-age=60", "Connection": "\", a, B", "connection": "d", "A": "1", "b": "2", "C": "3",
            "D": "4",
        ]
        let response = try stored(fields)
        #expect(["A", "B", "D"].allSatisfy { response.fields[$0] == nil })
        #expect(response.fields["C"] == "3")
        #expect(fields.endToEnd.map(\.name) == ["Cache-Control", "C"])
    }

    @Test(
        arguments: [
            ("Cache-Control", "no-store"), ("CDN-Cache-Control", "private"), ("Vary", "*"), ("Expires", "@-60"),
            ("Age", "7200"), ("Date", "@-7200"),
        ] as [(CaselessString, ByteString)])
    func `Connection takes none away of those that tell who may have an answer and for how long`(
        _ name: CaselessString, _ value: ByteString
    ) throws {
        let named: HTTPFields = ["Connection": "close, \(name.lowercased), A", "A": "1", name: value]
        #expect(named.endToEnd == [name: value])
        var fields = named.dated
        if name != "Cache-Control", name != "Expires" { fields.append("max-age=600", to: "Cache-Control") }
        let decision = CacheRules(.shared).storing(
            try get(), status: 200, fields: fields, requestTime: noon, responseTime: noon)
        guard case .store(let head) = decision else { return }
        #expect(!CacheRules(.shared).freshness(of: head, now: noon).isFresh)
    }

    @Test func `fields keep their order and their lines`() throws {
        let fields: HTTPFields = ["B": "1", "Cache-Control": "max-age=60", "A": "2", "B": "3", "Date": "@0"]
        #expect(try stored(fields).fields == fields.dated)
    }

    @Test(.requirement("RFC 9111 §5.2.2.7")) func `a shared cache stores a response without its private fields`() throws
    {
        let fields: HTTPFields = ["Cache-Control": "private=\"a, b\", max-age=60", "A": "1", "B": "2", "C": "3"]
        let response = try stored(fields)
        #expect(response.fields["A"] == nil && response.fields["B"] == nil && response.fields["C"] == "3")
        #expect(try stored(fields, by: CacheRules(.private)).fields["A"] == "1")
    }

    @Test(.requirement("RFC 9110 §6.6.1")) func `a missing Date is added, a broken one is not touched`() throws {
        #expect(try stored(["Cache-Control": "max-age=60"]).fields["Date"] == HTTPDate.format(noon))
        #expect(try stored(["Cache-Control": "max-age=60", "Date": "soon"]).fields["Date"] == "soon")
    }

    static let refusals: [(HTTPFields, HTTPFields, StoringRefusal)] = [
        ([:], ["Cache-Control": "no-store"], .noStore),
        ([:], ["Cache-Control": "private, max-age=60"], .isPrivate),
        (["Authorization": "a"], ["Cache-Control": "max-age=60"], .authorization),
        (["Cache-Control": "no-store"], ["Cache-Control": "max-age=60"], .requestNoStore),
        ([:], ["Cache-Control": "max-age=60", "Vary": "*"], .variesByAnything), ([:], [:], .notReusable),
    ]

    @Test(arguments: refusals)
    func `what is not stored has a reason`(
        _ request: HTTPFields, _ response: HTTPFields, _ refusal: StoringRefusal
    ) throws {
        let decision = CacheRules(.shared).storing(
            try get(request), status: 200, fields: response, requestTime: noon, responseTime: noon)
        #expect(decision == .no(refusal))
    }

    // Each field used to be compared with each name.
    @Test(.timeLimit(.minutes(5))) func `fields that a response names or replaces cost no more than their bytes`()
        throws
    {
        let names = (0..<100_000).map { CaselessString("x-\($0)") }
        let others = (0..<100_000).map { CaselessString("y-\($0)") }
        var fields = HTTPFields(names.map { HTTPFields.Field(name: $0, value: "1") })
        let list = ByteString((others.dropFirst() + [names[0]]).map(\.string).joined(separator: ", "))
        fields.append("max-age=60, no-cache=\"\(list)\"", to: "Cache-Control")
        let rules = CacheRules(.shared)
        let head = try stored(fields)
        guard case .whole(let answer) = rules.answer(try get(), from: head, now: noon) else {
            Issue.record("not the whole")
            return
        }
        #expect(!answer.contains(names[0]) && answer.contains(names[1]))
        let newer = HTTPFields((others + [names[0]]).map { HTTPFields.Field(name: $0, value: "2") })
        let updated = rules.updated(head, by: newer, for: try get(), requestTime: noon, responseTime: noon)
        #expect(updated.fields.firstValue(of: names[0]) == "2" && updated.fields.count == 200_002)
    }

    // Each field used to be compared with each option.
    @Test func `thousands of Connection options cost no more than their bytes`() async {
        let names = (0..<4_000).map { CaselessString("x-\($0)") }
        let options = names.dropFirst(2_000).map(\.string).joined(separator: ", ")
        let named = HTTPFields.Field(name: "Connection", value: ByteString(options))
        let fields = HTTPFields(names.map { HTTPFields.Field(name: $0, value: "1") } + [named])
        let cost = await TextCosts.count { #expect(fields.endToEnd.count == 2_000) }
        #expect(cost < 24 * 2 * options.utf8.count, "\(cost)")
    }
}
