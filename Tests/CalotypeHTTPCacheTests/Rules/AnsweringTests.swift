import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §4.3.2, RFC 9110 §13 and §14: a client's own conditions and ranges.
struct AnsweringTests {
    let rules = CacheRules(.shared)

    static let notModified: [(String, HTTPFields, HTTPFields, Bool)] = [
        ("§13.1.2: a strong tag", ["ETag": "\"a\""], ["If-None-Match": "\"a\""], true),
        ("§13.1.2: a weak tag", ["ETag": "W/\"a\""], ["If-None-Match": "W/\"a\""], true),
        ("§13.1.2: weak to strong", ["ETag": "\"a\""], ["If-None-Match": "W/\"a\""], true),
        ("§13.1.2: strong to weak", ["ETag": "W/\"a\""], ["If-None-Match": "\"a\""], true),
        ("§13.1.2: another", ["ETag": "\"a\""], ["If-None-Match": "\"b\""], false),
        ("§13.1.2: the first of several", ["ETag": "\"a\""], ["If-None-Match": "\"a\", \"b\", \"c\""], true),
        ("§13.1.2: the second", ["ETag": "\"a\""], ["If-None-Match": "\"b\", \"a\", \"c\""], true),
        ("§13.1.2: the last", ["ETag": "\"a\""], ["If-None-Match": "\"b\",\"c\",\"a\""], true),
        ("§13.1.2: on another line", ["ETag": "\"a\""], ["If-None-Match": "\"b\"", "If-None-Match": "\"a\""], true),
        ("§13.1.2: a comma within", ["ETag": "\"a,b\""], ["If-None-Match": "\"a,b\""], true),
        ("§13.1.2: a comma within divides nothing", ["ETag": "\"b\""], ["If-None-Match": "\"a,b\""], false),
        ("§13.1.2: any", ["ETag": "\"a\""], ["If-None-Match": "*"], true),
        ("§13.1.2: any, without a tag", [:], ["If-None-Match": "*"], true),
        ("§13.1.2: no tag here", [:], ["If-None-Match": "\"a\""], false),
        ("§8.8.3: case means something", ["ETag": "\"a\""], ["If-None-Match": "\"A\""], false),
        ("§8.8.3: beyond ASCII", ["ETag": "\"aü\""], ["If-None-Match": "\"aü\""], true),
        ("§8.8.3: bytes, not letters", ["ETag": "\"\u{E9}\""], ["If-None-Match": "\"e\u{301}\""], false),
        ("§8.8.3: asked without quotes", ["ETag": "\"a\""], ["If-None-Match": "a"], true),
        ("§8.8.3: given without quotes", ["ETag": "a"], ["If-None-Match": "\"a\""], true),
        ("§8.8.3: w/ as it came", ["ETag": "w/\"a\""], ["If-None-Match": "w/\"a\""], true),
        ("§8.8.3: W\\ as it came", ["ETag": "W\\\"a\""], ["If-None-Match": "W\\\"a\""], true),
        ("§13.1.3: the same date", ["Last-Modified": "@-3000"], ["If-Modified-Since": "@-3000"], true),
        ("§13.1.3: a later date", ["Last-Modified": "@-3000"], ["If-Modified-Since": "@-2000"], true),
        ("§13.1.3: an earlier date", ["Last-Modified": "@-3000"], ["If-Modified-Since": "@-4000"], false),
        ("§13.1.3: no date", ["Last-Modified": "@-3000"], ["If-Modified-Since": "soon"], false),
        (
            "§13.1.3: RFC 850", ["Last-Modified": "Thu, 01 Jan 2015 00:00:00 GMT"],
            ["If-Modified-Since": "Thursday, 01-Jan-15 00:00:00 GMT"], true
        ),
        (
            "§13.1.3: asctime", ["Last-Modified": "Thu, 01 Jan 2015 00:00:00 GMT"],
            ["If-Modified-Since": "Thu Jan  1 00:00:00 2015"], true
        ),
        ("RFC 9111 §4.3.2: against Date", ["Date": "@0"], ["If-Modified-Since": "@0"], true),
        ("RFC 9111 §4.3.2: before Date", ["Date": "@0"], ["If-Modified-Since": "@-1"], false),
        ("RFC 9111 §4.3.2: against receipt", ["Date": "soon"], ["If-Modified-Since": "@1"], true),
        (
            "§13.2.2: a tag that matches goes before a date", ["ETag": "\"a\"", "Last-Modified": "@-5"],
            ["If-None-Match": "\"a\"", "If-Modified-Since": "@-9"], true
        ),
        (
            "§13.2.2: so does one that does not", ["ETag": "\"a\"", "Last-Modified": "@-5"],
            ["If-None-Match": "\"b\"", "If-Modified-Since": "@-1"], false
        ),
    ]

    @Test(arguments: notModified)
    func `a client's condition is answered from the store`(
        _ claim: String, _ response: HTTPFields, _ request: HTTPFields, _ expected: Bool
    ) throws {
        var fields = response
        fields["Cache-Control"] = "max-age=600"
        for method in [HTTPMethod.get, .head] {
            let answer = rules.answer(
                try get(request, method: method), from: try stored(fields), now: noon + 3)
            guard case .notModified = answer else {
                #expect(!expected, "\(claim)")
                continue
            }
            #expect(expected, "\(claim)")
        }
    }

    @Test(.requirement("RFC 9110 §15.4.5")) func `our 304 carries what a cache further down needs`() throws {
        let response = try stored([
            "Date": "@0", "Cache-Control": "max-age=600", "ETag": "\"a\"", "Vary": "Foo", "Expires": "@600",
            "Content-Location": "/x", "Content-Type": "image/png", "Set-Cookie": "a=b", "Last-Modified": "@-9",
            "Content-Length": "10",
        ])
        guard
            case .notModified(let fields) = rules.answer(
                try get(["If-None-Match": "\"a\""]), from: response, now: noon + 3)
        else {
            Issue.record("not 304")
            return
        }
        #expect(
            Set(fields.map(\.name)) == ["Date", "Cache-Control", "ETag", "Vary", "Expires", "Content-Location", "Age"])
    }

    @Test(.requirement("RFC 9110 §15.4.5")) func `without a tag it carries Last-Modified`() throws {
        let response = try stored(["Cache-Control": "max-age=600", "Last-Modified": "@-9"])
        guard
            case .notModified(let fields) = rules.answer(
                try get(["If-Modified-Since": "@-9"]), from: response, now: noon + 3)
        else {
            Issue.record("not 304")
            return
        }
        #expect(fields["Last-Modified"] == HTTPDate.format(noon - 9))
    }

    @Test(
        .requirement("RFC 9111 §5.1"),
        arguments: [(nil, 3.9, "3"), ("30", 3, "33"), ("99999999999", 3, "2147483648"), (nil, -50, "0")])
    func `every stored answer tells its age, and Date stays`(
        _ age: String?, _ wait: Double, _ expected: String
    ) throws {
        var fields: HTTPFields = ["Expires": "@2592000", "Date": "@0", "ETag": "\"a\""]
        fields["Age"] = age.map { ByteString($0) }
        guard case .whole(let answer) = rules.answer(try get(), from: try stored(fields), now: noon + wait) else {
            Issue.record("not whole")
            return
        }
        if wait > 0 { #expect(answer.values(of: "Age") == [ByteString(expected)]) }
        #expect(answer["Date"] == HTTPDate.format(noon))
        #expect(answer["Expires"] == HTTPDate.format(noon + 2_592_000))
        #expect(answer["Content-Length"] == "10")
    }

    @Test(.requirement("RFC 9111 §5.2.2.4")) func `fields that no-cache names are served only after a validation`()
        throws
    {
        let response = try stored([
            "Cache-Control": "no-cache=\"a, b\"", "Cache-Control": "max-age=60", "A": "1", "B": "2", "C": "3",
        ])
        func fields(_ validated: Bool) throws -> HTTPFields {
            guard case .whole(let fields) = rules.answer(try get(), from: response, validated: validated, now: noon)
            else {
                return [:]
            }
            return fields
        }
        #expect(try fields(false)["A"] == nil && fields(false)["B"] == nil && fields(false)["C"] == "3")
        #expect(try fields(true)["A"] == "1" && fields(true)["C"] == "3")
    }

    static let ranges: [(String, HTTPFields, Range<Int>?, ByteString?)] = [
        ("§14.1.2: first and last", ["Range": "bytes=0-1"], 0..<2, "bytes 0-1/10"),
        ("§14.1.2: from", ["Range": "bytes=1-"], 1..<10, "bytes 1-9/10"),
        ("§14.1.2: the last", ["Range": "bytes=-1"], 9..<10, "bytes 9-9/10"),
        ("§14.1.2: more than there is", ["Range": "bytes=-99"], 0..<10, "bytes 0-9/10"),
        ("§14.1.2: beyond the end", ["Range": "bytes=5-99"], 5..<10, "bytes 5-9/10"),
        ("§14.1: units in any case", ["Range": "Bytes=0-0"], 0..<1, "bytes 0-0/10"),
        ("§14.2: behind the end", ["Range": "bytes=10-"], nil, "bytes */10"),
        ("§14.2: the last none", ["Range": "bytes=-0"], nil, "bytes */10"),
        ("§14.2: other units", ["Range": "lines=0-1"], nil, nil),
        ("§14.2: several", ["Range": "bytes=0-1,3-4"], nil, nil),
        ("§14.1.2: backwards", ["Range": "bytes=3-1"], nil, nil), ("§14.2: junk", ["Range": "bytes=a-b"], nil, nil),
        ("§14.2: nothing", ["Range": "bytes=-"], nil, nil),
        ("§14.1.2: too large to count", ["Range": "bytes=99999999999999999999-"], nil, nil),
        ("§13.1.5: the same tag", ["Range": "bytes=0-1", "If-Range": "\"a\""], 0..<2, "bytes 0-1/10"),
        ("§13.1.5: another tag", ["Range": "bytes=0-1", "If-Range": "\"b\""], nil, nil),
        ("§13.1.5: a weak tag", ["Range": "bytes=0-1", "If-Range": "W/\"a\""], nil, nil),
        ("§13.1.5: the same date", ["Range": "bytes=0-1", "If-Range": "@-3000"], 0..<2, "bytes 0-1/10"),
        ("§13.1.5: a later date", ["Range": "bytes=0-1", "If-Range": "@-2000"], nil, nil),
        ("§13.2.2: a condition goes first", ["Range": "bytes=0-1", "If-None-Match": "\"b\""], 0..<2, "bytes 0-1/10"),
    ]

    @Test(arguments: ranges)
    func `a whole response answers ranges`(
        _ claim: String, _ request: HTTPFields, _ range: Range<Int>?, _ contentRange: ByteString?
    ) throws {
        let response = try stored([
            "Cache-Control": "max-age=600", "ETag": "\"a\"", "Last-Modified": "@-3000", "Content-Length": "10",
            "A": "1",
        ])
        switch rules.answer(try get(request), from: response, now: noon) {
        case .part(let bytes, let fields):
            #expect(bytes == range, "\(claim)")
            #expect(fields["Content-Range"] == contentRange, "\(claim)")
            #expect(fields["Content-Length"] == "\(bytes.count)" && fields["A"] == "1")
        case .unsatisfiable(let fields):
            #expect(range == nil && fields["Content-Range"] == contentRange && contentRange != nil, "\(claim)")
        case .whole(let fields):
            #expect(range == nil && contentRange == nil && fields["Content-Length"] == "10", "\(claim)")
        case .notModified: Issue.record("304: \(claim)")
        }
    }

    @Test(.requirement("RFC 9110 §13.1.5")) func `a date that is not strong is no match`() throws {
        let response = try stored(["Cache-Control": "max-age=600", "Last-Modified": "@-30"])
        let request = try get(["Range": "bytes=0-1", "If-Range": "@-30"])
        guard case .whole = rules.answer(request, from: response, now: noon) else {
            Issue.record("not whole")
            return
        }
    }

    @Test(.requirement("RFC 9110 §14.2")) func `HEAD has no ranges, nor have errors and answers without content`()
        throws
    {
        let range: HTTPFields = ["Range": "bytes=0-1"]
        let fields: HTTPFields = ["Cache-Control": "max-age=600"]
        for answer in [
            rules.answer(try get(range, method: .head), from: try stored(fields), now: noon),
            rules.answer(try get(range), from: try stored(fields, status: 404), now: noon),
            rules.answer(try get(range), from: try stored(fields, status: 204), now: noon),
        ] {
            guard case .whole = answer else {
                Issue.record("\(answer)")
                continue
            }
        }
    }

    @Test(.requirement("RFC 9110 §13.1")) func `conditions are about successes`() throws {
        let response = try stored(["Cache-Control": "max-age=600", "ETag": "\"a\""], status: 404)
        guard case .whole = rules.answer(try get(["If-None-Match": "\"a\""]), from: response, now: noon) else {
            Issue.record("a 404 became a 304")
            return
        }
    }
}
