import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §3.3 and §3.4: parts, interrupted downloads, and their completion.
struct PartialTests {
    let rules = CacheRules(.shared)

    /// Returns bytes 4 to 9 of ten.
    func part(_ content: String = "bytes 4-9/10", tag: String? = "\"a\"") throws -> StoredResponse {
        var fields: HTTPFields = ["Cache-Control": "max-age=3600", "Content-Range": ByteString(content), "A": "1"]
        fields["ETag"] = tag.map { ByteString($0) }
        return try stored(fields, status: 206, first: ["Range": "bytes=-6"])
    }

    func combine(_ part: StoredResponse, with fields: HTTPFields) throws -> CombineDecision {
        rules.combine(part, with: fields, for: try get(), requestTime: noon + 9, responseTime: noon + 9)
    }

    @Test(.requirement("RFC 9111 §3.3")) func `a 206 is stored as a part`() throws {
        let part = try part()
        #expect(part.status == 200 && !part.isComplete)
        #expect(part.part == StoredPart(range: 4..<10, completeLength: 10))
        #expect(part.fields["Content-Range"] == nil && part.fields["Content-Length"] == nil)
    }

    static let held: [(String, Range<Int>?)] = [
        ("bytes=-6", 0..<6), ("bytes=6-8", 2..<5), ("bytes=6-", 2..<6), ("bytes=-1", 5..<6), ("bytes=4-4", 0..<1),
        ("bytes=4-99", 0..<6), ("bytes=3-5", nil), ("bytes=0-", nil), ("bytes=-7", nil),
    ]

    @Test(arguments: held)
    func `a part answers ranges within it`(_ range: String, _ bytes: Range<Int>?) throws {
        let stored = try part()
        let request = try get(["Range": ByteString(range)])
        guard case .serve(0, _) = rules.decide(request, variants: [stored], now: noon + 3) else {
            #expect(bytes == nil)
            #expect(rules.decide(request, variants: [stored], now: noon + 3) == .forward(.partial))
            return
        }
        guard case .part(let range, let fields) = rules.answer(request, from: stored, now: noon + 3) else {
            Issue.record("not a part")
            return
        }
        #expect(range == bytes)
        #expect(fields["Content-Range"]?.hasSuffix("/10") == true && fields["A"] == "1")
    }

    @Test func `a part of something of unknown length answers what it can`() throws {
        let stored = try part("bytes 4-9/*")
        func isServed(_ range: String) throws -> Bool {
            if case .serve = rules.decide(try get(["Range": ByteString(range)]), variants: [stored], now: noon) {
                true
            } else {
                false
            }
        }
        #expect(try isServed("bytes=5-6"))
        #expect(try !isServed("bytes=5-"))
        #expect(try !isServed("bytes=-2"))
        guard case .part(1..<3, let fields) = rules.answer(try get(["Range": "bytes=5-6"]), from: stored, now: noon)
        else {
            Issue.record("not a part")
            return
        }
        #expect(fields["Content-Range"] == "bytes 5-6/*")
    }

    @Test(.requirement("RFC 9111 §3.3")) func `a part never passes for the whole`() throws {
        let variants = [try part()]
        #expect(rules.decide(try get(), variants: variants, now: noon) == .forward(.partial))
        let other = try get(["Range": "bytes=5-6", "If-Range": "\"b\""])
        #expect(rules.decide(other, variants: variants, now: noon) == .forward(.partial))
    }

    @Test(
        .requirement("RFC 9110 §14.4"),
        arguments: [
            "bytes 4-9/9", "bytes 9-4/10", "bytes */10", "bytes 4-9", "lines 4-9/10", "4-9/10", "", "bytes 4-9/10 x",
            "bytes -9/10",
            "bytes 4-99999999999999999999/*", "multipart/byteranges",
        ])
    func `a 206 whose range lies is not stored`(_ content: String) throws {
        let fields: HTTPFields = ["Cache-Control": "max-age=60", "Content-Range": ByteString(content)]
        let request = try get(["Range": "bytes=4-"])
        #expect(
            rules.storing(request, status: 206, fields: fields, requestTime: noon, responseTime: noon) == .no(.range))
    }

    @Test func `a 206 that nobody asked for, or of another length than it says, is not stored`() throws {
        var fields: HTTPFields = ["Cache-Control": "max-age=60", "Content-Range": "bytes 4-9/10"]
        #expect(
            rules.storing(try get(), status: 206, fields: fields, requestTime: noon, responseTime: noon) == .no(.range))
        let request = try get(["Range": "bytes=4-"])
        guard
            case .store(let head) = rules.storing(
                request, status: 206, fields: fields, requestTime: noon, responseTime: noon)
        else {
            Issue.record("not stored")
            return
        }
        #expect(head.ended(bodyLength: 5, isComplete: true) == nil)
        #expect(head.ended(bodyLength: 7, isComplete: true) == nil)
        #expect(head.ended(bodyLength: 3, isComplete: false) == nil)
        fields["Content-Length"] = "5"
        #expect(
            rules.storing(request, status: 206, fields: fields, requestTime: noon, responseTime: noon) == .no(.range))
    }

    @Test func `a 206 of everything is the whole`() throws {
        let whole = try stored(
            ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-9/10"], status: 206, first: ["Range": "bytes=0-"])
        #expect(whole.isComplete && whole.bodyLength == 10)
    }

    func head(_ fields: HTTPFields) throws -> StoredResponse {
        let decision = rules.storing(try get(), status: 200, fields: fields, requestTime: noon, responseTime: noon)
        guard case .store(let head) = decision else { throw NotStored(decision: decision) }
        return head
    }

    static let resumable: HTTPFields = [
        "Cache-Control": "max-age=60", "ETag": "\"a\"", "Accept-Ranges": "bytes", "Content-Length": "10",
    ]

    @Test(.requirement("RFC 9111 §3.3")) func `an interrupted download is kept, and asked on`() throws {
        let part = try #require(try head(Self.resumable).ended(bodyLength: 4, isComplete: false))
        #expect(part.part == StoredPart(range: 0..<4, completeLength: 10))
        #expect(rules.rest(of: part) == ["Range": "bytes=4-", "If-Range": "\"a\""])
        #expect(
            rules.decide(try get(), variants: [part], now: noon)
                == .resume(0, ["Range": "bytes=4-", "If-Range": "\"a\""]))
        #expect(
            rules.decide(try get(), variants: [part], now: noon + 1000)
                == .resume(0, ["Range": "bytes=4-", "If-Range": "\"a\""]))
    }

    static let unresumable: [(String, HTTPFields, Int)] = [
        ("a weak tag", ["ETag": "W/\"a\""], 4), ("a tag that is none", ["ETag": "a"], 4), ("no tag", ["ETag": ""], 4),
        ("no ranges", ["Accept-Ranges": "none"], 4), ("no length", ["Content-Length": ""], 4), ("nothing came", [:], 0),
        ("more came than was said", [:], 11), ("all came, and broke off", [:], 10),
    ]

    @Test(arguments: unresumable)
    func `what could not be asked on is not kept`(_ claim: String, _ change: HTTPFields, _ length: Int) throws {
        var fields = Self.resumable
        for field in change { fields[field.name] = field.value.isEmpty ? nil : field.value }
        #expect(try head(fields).ended(bodyLength: length, isComplete: false) == nil, "\(claim)")
    }

    @Test(.requirement("RFC 9111 §3.3")) func `a body of another length than was said is not kept`() throws {
        #expect(try head(Self.resumable).ended(bodyLength: 9, isComplete: true) == nil)
        #expect(try head(Self.resumable).ended(bodyLength: 11, isComplete: true) == nil)
        #expect(try head(Self.resumable).ended(bodyLength: 10, isComplete: true)?.isComplete == true)
    }

    static let combined: [(String, HTTPFields, Bool)] = [
        ("it fits", ["ETag": "\"a\"", "Content-Range": "bytes 4-9/10"], true),
        ("a piece of the rest", ["ETag": "\"a\"", "Content-Range": "bytes 4-6/10"], true),
        ("length not repeated", ["ETag": "\"a\"", "Content-Range": "bytes 4-9/*"], true),
        ("another tag", ["ETag": "\"b\"", "Content-Range": "bytes 4-9/10"], false),
        ("a weak tag", ["ETag": "W/\"a\"", "Content-Range": "bytes 4-9/10"], false),
        ("no tag", ["Content-Range": "bytes 4-9/10"], false),
        ("a gap", ["ETag": "\"a\"", "Content-Range": "bytes 5-9/10"], false),
        ("an overlap", ["ETag": "\"a\"", "Content-Range": "bytes 3-9/10"], false),
        ("another length", ["ETag": "\"a\"", "Content-Range": "bytes 4-9/11"], false),
        ("beyond the length", ["ETag": "\"a\"", "Content-Range": "bytes 4-10/*"], false),
        ("no range", ["ETag": "\"a\""], false),
        ("another coding", ["ETag": "\"a\"", "Content-Range": "bytes 4-9/10", "Content-Encoding": "gzip"], false),
        ("no coding, said", ["ETag": "\"a\"", "Content-Range": "bytes 4-9/10", "Content-Encoding": "identity"], true),
        ("its own length lies", ["ETag": "\"a\"", "Content-Range": "bytes 4-9/10", "Content-Length": "5"], false),
    ]

    @Test(.requirement("RFC 9111 §3.4"), arguments: combined)
    func `parts go together under one strong validator`(
        _ claim: String, _ fields: HTTPFields, _ fits: Bool
    ) throws {
        let part = try #require(try head(Self.resumable).ended(bodyLength: 4, isComplete: false))
        guard case .append(let head) = try combine(part, with: fields)
        else {
            #expect(!fits, "\(claim)")
            return
        }
        #expect(fits, "\(claim)")
        let end = try #require(head.part?.range.upperBound)
        let ended = try #require(head.ended(bodyLength: end, isComplete: true))
        #expect(ended.isComplete == (end == 10), "\(claim)")
        #expect(head.ended(bodyLength: end - 1, isComplete: true) == nil)
        #expect(head.ended(bodyLength: 5, isComplete: false)?.part == StoredPart(range: 0..<5, completeLength: 10))
    }

    @Test(arguments: [("gzip", true), ("GZIP", true), ("deflate", false), ("gzip, gzip", false), (nil, true)])
    func `parts of one coding go together`(coding: String?, fits: Bool) throws {
        var fields = Self.resumable
        fields["Content-Encoding"] = "gzip"
        let part = try #require(try head(fields).ended(bodyLength: 4, isComplete: false))
        var newer: HTTPFields = ["ETag": "\"a\"", "Content-Range": "bytes 4-9/10"]
        newer["Content-Encoding"] = coding.map { ByteString($0) }
        guard case .append(let head) = try combine(part, with: newer) else { return #expect(!fits) }
        #expect(fits && head.fields["Content-Encoding"] == "gzip")
    }

    @Test(.requirement("RFC 9111 §3.2", "RFC 9111 §3.4")) func `the newer fields stand for both`() throws {
        var old = Self.resumable
        old["A"] = "1"
        old["B"] = "1"
        let part = try #require(try head(old).ended(bodyLength: 4, isComplete: false))
        let fields: HTTPFields = [
            "ETag": "\"a\"", "Content-Range": "bytes 4-9/10", "Content-Length": "6", "A": "2",
            "Cache-Control": "max-age=99",
        ]
        guard case .append(let head) = try combine(part, with: fields)
        else {
            Issue.record("not combined")
            return
        }
        #expect(head.fields["A"] == "2" && head.fields["B"] == "1" && head.fields["Content-Range"] == nil)
        #expect(rules.freshness(of: head, now: noon + 9).lifetime == 99)
        let ended = try #require(head.ended(bodyLength: 10, isComplete: true))
        guard case .whole(let answer) = rules.answer(try get(), from: ended, now: noon + 9) else {
            Issue.record("not whole")
            return
        }
        #expect(answer["Content-Length"] == "10")
    }

    @Test func `a part that does not begin at the beginning is not completed`() throws {
        #expect(rules.rest(of: try part()) == nil)
        #expect(rules.rest(of: try stored(["Cache-Control": "max-age=60", "ETag": "\"a\""])) == nil)
    }

    @Test func `HEAD of a part tells the length of the whole, where it is known`() throws {
        for (content, length) in [("bytes 4-9/10", "10"), ("bytes 4-9/*", nil)] {
            guard
                case .whole(let fields) = rules.answer(
                    try get(method: .head), from: try part(content), now: noon)
            else {
                Issue.record("not whole")
                continue
            }
            #expect(fields["Content-Length"]?.string == length)
        }
    }

    @Test func `a whole response is found behind a newer part`() throws {
        let whole = try stored(["Cache-Control": "max-age=60", "Date": "@-5"])
        let variants = [try part(), whole]
        guard case .serve(1, _) = rules.decide(try get(), variants: variants, now: noon) else {
            Issue.record("not served")
            return
        }
    }
}
