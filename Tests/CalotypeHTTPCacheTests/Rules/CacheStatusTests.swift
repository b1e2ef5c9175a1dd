import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9211.
struct CacheStatusTests {
    static let members: [(CacheStatus, String)] = [
        (CacheStatus(hit: true, ttl: 376), "Calotype; hit; ttl=376"),
        (CacheStatus(hit: true, ttl: -412), "Calotype; hit; ttl=-412"),
        (CacheStatus(forward: .uriMiss), "Calotype; fwd=uri-miss"),
        (CacheStatus(forward: .stale, forwardStatus: 304, ttl: 60), "Calotype; fwd=stale; fwd-status=304; ttl=60"),
        (CacheStatus(forward: .uriMiss, stored: true, collapsed: true), "Calotype; fwd=uri-miss; stored; collapsed"),
        (CacheStatus(forward: .bypass, detail: "vary"), "Calotype; fwd=bypass; detail=vary"),
        (CacheStatus(hit: true, detail: "a b\"c\\"), "Calotype; hit; detail=\"a b\\\"c\\\\\""),
        (CacheStatus(hit: true, detail: "1x"), "Calotype; hit; detail=\"1x\""),
        (CacheStatus(hit: true, detail: "a.b:80"), "Calotype; hit; detail=a.b:80"),
        (CacheStatus(hit: true, detail: "ü"), "Calotype; hit"),
        (CacheStatus(hit: true, detail: "a\nb"), "Calotype; hit"),
        (CacheStatus(hit: true, forward: .stale, forwardStatus: 200, stored: true, collapsed: true), "Calotype; hit"),
        (CacheStatus(forward: .miss, ttl: .min), "Calotype; fwd=miss"),
    ]

    @Test(.requirement("RFC 9211 §2"), arguments: members)
    func `a member says hit, or why it went further`(_ status: CacheStatus, _ member: String) {
        #expect(status.member() == ByteString(member))
        #expect(StructuredField.list(status.member())?.count == 1)
    }

    @Test(
        .requirement("RFC 9211 §2"),
        arguments: [
            (nil, "Calotype; hit"), ("", "Calotype; hit"), ("Origin; hit", "Origin; hit, Calotype; hit"),
            ("A; fwd=miss, \"B c\"; hit; ttl=3", "A; fwd=miss, \"B c\"; hit; ttl=3, Calotype; hit"),
            ("A; hit,", "Calotype; hit"), ("A; hit; =", "Calotype; hit"), ("ü", "Calotype; hit"),
        ])
    func `the cache nearest to the client comes last, behind what can be read`(
        _ upstream: String?, _ expected: String
    ) {
        #expect(CacheStatus(hit: true).appended(to: upstream.map { ByteString($0) }) == ByteString(expected))
    }
}
