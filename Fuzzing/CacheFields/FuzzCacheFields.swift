import CalotypeFuzzSupport
import CalotypeHTTP
import Foundation

@testable import CalotypeHTTPCache

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            "max-age=3600, no-cache=\"a, b\", private, s-maxage=\"1\", stale-if-error=9", "W/\"a\", \"b,c\", d, *",
            "7200, 0",
            "bytes=0-1", "bytes=-5", "bytes 4-9/10", "bytes 4-9/*", "Accept, *, , foo", "de-AT;q=0.5, en ; q=1.000",
            "a=1, b=\"c\\\"\";d, e=(1 f ?0);g, h=:aGk=:, i=-1.5", "Calotype; hit; ttl=3, \"a b\"; fwd=miss",
            "key-order, params=(\"utm_source\" \"%C3%A9+a\")", "params, except=(\"id\")",
            "\"a\", \"b\";revalidate",
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ].map { Data($0.utf8) }
    }
}

/// Parses the input as the value of each header field that a cache reads.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = ByteString(bytes: input(bytes, count))
    checkDirectives(text)
    checkRanges(text)
    checkNormalisation(text)
    checkStructured(text)
    checkTags(text)
    checkQueries(text)
    checkGroups(text)
    if let date = HTTPDate.parse(text, now: 1_700_000_000) {
        require(HTTPDate.parse(HTTPDate.format(date)) == date, "a date changes when it is written: \(text)")
    }
    return 0
}

private func checkDirectives(_ text: ByteString) {
    let response = ResponseDirectives([text])
    let request = RequestDirectives([text])
    let targeted = ResponseDirectives(targeted: [text])
    let seconds = [
        response.maxAge, response.sharedMaxAge, response.staleIfError, request.maxAge, request.minFresh,
        targeted?.maxAge, targeted?.staleWhileRevalidate, AgeField.parse(text),
    ]
    require(
        seconds.allSatisfy { ($0 ?? 0) >= 0 && ($0 ?? 0) <= DeltaSeconds.limit }, "seconds out of bounds: \(text)")
}

private func checkRanges(_ text: ByteString) {
    for length in [0, 1, 10, Int.max] {
        guard let range = ByteRange(text)?.resolved(in: length) else { break }
        require(range.lowerBound >= 0 && range.upperBound <= length, "a range beyond the end: \(text)")
    }
    if let content = ContentRange(text) {
        require(!content.range.isEmpty, "an empty range: \(text)")
        require(content.range.upperBound <= content.completeLength ?? .max, "a range beyond its length: \(text)")
    }
}

private func checkGroups(_ text: ByteString) {
    guard case .named(let names) = CacheGroups(["Cache-Groups": text], "Cache-Groups") else { return }
    require(
        names.count <= CacheGroups.countLimit && names.allSatisfy { $0.count <= CacheGroups.lengthLimit },
        "groups beyond the limits: \(text)")
}

private func checkQueries(_ text: ByteString) {
    for field in [text, "key-order", "except=(\"a\")", "params=(\"b\")"] {
        guard let variance = SearchVariance(["No-Vary-Search": field]) else { continue }
        let canonical = variance.canonical(text)
        require(variance.canonical(canonical) == canonical, "what is canonical changes: \(text)")
    }
}

private func checkNormalisation(_ text: ByteString) {
    for name: CaselessString in ["accept", "accept-language", "accept-encoding", "other"] {
        guard let value = VaryNormalisation.normalised(name, in: [name: text]) else { continue }
        let again = VaryNormalisation.normalised(name, in: [name: value])
        require(again == value, "normalised twice is another: \(name): \(text)")
    }
    for member in LanguageRanges(text).members {
        require((0...1000).contains(member.weight), "a weight out of bounds: \(text)")
    }
}

private func checkStructured(_ text: ByteString) {
    let field = CacheStatus(forward: .miss, detail: text.string).appended(to: text)
    require(StructuredField.list(field) != nil, "a Cache-Status that cannot be read: \(field)")
}

private func checkTags(_ text: ByteString) {
    guard let tag = EntityTag(text) else { return }
    require(tag.matchesWeakly(tag), "a tag unlike itself: \(text)")
    require(EntityTag(tag.text) == tag, "a tag changes when it is read again: \(text)")
    _ = EntityTagList(text)
}
