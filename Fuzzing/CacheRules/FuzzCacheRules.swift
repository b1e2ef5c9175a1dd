import CalotypeFuzzSupport
import CalotypeHTTP
import Foundation

@testable import CalotypeHTTPCache

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            "200\nCache-Control:max-age=60\nETag:\"a\"\nVary:Foo\n\nFoo:1\n\nETag:\"a\"\nAge:3",
            "206\nCache-Control:max-age=60\nContent-Range:bytes 0-4/10\nETag:\"a\"\n\nRange:bytes=0-4\n\n"
                + "ETag:\"a\"\nContent-Range:bytes 5-9/10",
            "404\nExpires:Sun, 06 Nov 2094 08:49:37 GMT\nConnection:a\na:b\n\nIf-None-Match:*\nRange:bytes=-5\n\nLocation:/x",
        ].map { Data($0.utf8) }
    }
}

/// Checks the cache rules with an exchange, a later request for the same URL, and the origin's response to it. No
/// message may make a rule trap, and no range in an answer may exceed the stored body.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let parts = messages(input(bytes, count))
    guard let url = URL(string: "http://localhost/a"),
        let status = parts[0].first?.asDigits
    else { return -1 }
    let request = HTTPRequest(url, fields: fields(parts.dropFirst().first ?? []))
    for mode in [CacheRules.Mode.private, .shared] {
        check(CacheRules(mode), request, status, fields(parts[0]), fields(parts.dropFirst(2).first ?? []))
    }
    return 0
}

/// Splits the input at empty lines into up to three messages.
private func messages(_ data: Data) -> [[ByteString]] {
    let lines = ByteString(bytes: data).split(separator: 0x0A)
    return lines.split(separator: "", maxSplits: 2, omittingEmptySubsequences: false).map(Array.init)
}

private func fields(_ lines: [ByteString]) -> HTTPFields {
    var fields = HTTPFields()
    for line in lines {
        let parts = line.split(separator: 0x3A, maxSplits: 1)
        if parts.count == 2 { fields.append(parts[1], to: CaselessString(parts[0])) }
    }
    return fields
}

private func check(
    _ rules: CacheRules, _ request: HTTPRequest, _ status: Int, _ response: HTTPFields, _ later: HTTPFields
) {
    let now = 1_700_000_000.5
    _ = rules.invalidates(
        HTTPRequest(request.url, method: .post), status: status, fields: later)
    guard
        case .store(let head) = rules.storing(
            request, status: status, fields: response, requestTime: now, responseTime: now)
    else { return }
    require(head.fields.endToEnd == head.fields, "a field of the connection is stored: \(head.fields)")
    for (length, isComplete) in [(head.part?.range.count ?? head.fields.contentLength ?? 10, true), (3, false)] {
        guard let stored = head.ended(bodyLength: length, isComplete: isComplete) else { continue }
        for wait in [-1e9, 0, 5, 1e12] { answer(rules, request, stored, later, now: now + wait) }
    }
}

private func answer(
    _ rules: CacheRules, _ request: HTTPRequest, _ stored: StoredResponse, _ later: HTTPFields, now: Double
) {
    let freshness = rules.freshness(of: stored, now: now)
    require(freshness.age >= 0 && freshness.lifetime >= 0, "less than nothing: \(freshness)")
    if case .part(let range, _) = rules.answer(request, from: stored, now: now) {
        require(range.lowerBound >= 0 && range.upperBound <= stored.bodyLength, "beyond the body: \(range)")
    }
    if case .append(let both) = rules.combine(stored, with: later, for: request, requestTime: now, responseTime: now) {
        require(both.part?.range.lowerBound == stored.part?.range.lowerBound, "parts that do not meet")
        require(both.bodyLength > stored.bodyLength, "nothing was added")
    }
    switch rules.decide(request, variants: [stored], now: now) {
    case .serve, .serveAndRevalidate:
        if case .whole = rules.answer(request, from: stored, now: now) {
            require(stored.isComplete, "a part passes for the whole")
        }
    case .validate(let validation, _):
        guard
            case .confirmed(let all) = rules.validated(
                [stored], for: request, by: later, with: validation, requestTime: now, responseTime: now)
        else { return }
        require(
            all.allSatisfy { $0.response.fields.endToEnd == $0.response.fields }, "a field of the connection came in")
    case .resume, .forward, .onlyIfCached: break
    }
}
