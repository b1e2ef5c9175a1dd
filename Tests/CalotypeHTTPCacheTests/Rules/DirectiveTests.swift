import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §5.2: Cache-Control, as it is written.
struct DirectiveTests {
    static let lists: [(String, [CacheDirective])] = [
        ("", []), (" , ,", []), ("a", [CacheDirective(name: "a", argument: .none)]),
        ("A=B", [CacheDirective(name: "a", argument: .text("B"))]),
        (
            "a=\"b, c\" , d",
            [CacheDirective(name: "a", argument: .text("b, c")), CacheDirective(name: "d", argument: .none)]
        ),
        ("a=\"b\\\"c\"", [CacheDirective(name: "a", argument: .text("b\"c"))]),
        ("a=\"\"", [CacheDirective(name: "a", argument: .text(""))]),
        ("a=", [CacheDirective(name: "a", argument: .malformed)]),
        ("a=\"b", [CacheDirective(name: "a", argument: .malformed)]),
        ("a=\"b\\", [CacheDirective(name: "a", argument: .malformed)]),
        ("a=\"b\"c, d", [CacheDirective(name: "a", argument: .malformed), CacheDirective(name: "d", argument: .none)]),
        ("a = b", [CacheDirective(name: "a", argument: .malformed)]),
        ("a b", [CacheDirective(name: "a", argument: .malformed)]),
        ("a=b c, d", [CacheDirective(name: "a", argument: .malformed), CacheDirective(name: "d", argument: .none)]),
        ("=b, c", [CacheDirective(name: "c", argument: .none)]),
        ("\"a, b\", c", [CacheDirective(name: "c", argument: .none)]),
        ("a;b=c", [CacheDirective(name: "a", argument: .malformed)]),
        ("\ta\t,\tb", [CacheDirective(name: "a", argument: .none), CacheDirective(name: "b", argument: .none)]),
        ("ü, a", [CacheDirective(name: "a", argument: .none)]),
    ]

    @Test(arguments: lists)
    func `a list is read member by member, and one that is broken harms no other`(
        _ text: String, _ expected: [CacheDirective]
    ) {
        #expect(CacheDirective.parse(text) == expected)
    }

    @Test func `§5.2.2: every directive of a response is known`() {
        let directives = ResponseDirectives(
            """
            no-store, no-cache, private="A, b", public, must-revalidate, proxy-revalidate, must-understand, immutable, \
            max-age=1, s-maxage=2, stale-while-revalidate=3, stale-if-error=4
            """)
        #expect(directives.noStore && directives.noCache == .whole && directives.isPrivate == .fields(["a", "b"]))
        #expect(directives.isPublic && directives.mustRevalidate && directives.proxyRevalidate)
        #expect(directives.mustUnderstand && directives.immutable)
        #expect(directives.maxAge == 1 && directives.sharedMaxAge == 2)
        #expect(directives.staleWhileRevalidate == 3 && directives.staleIfError == 4)
        #expect(ResponseDirectives(nil) == ResponseDirectives())
    }

    @Test func `§5.2.1: every directive of a request is known`() {
        let directives = RequestDirectives(
            "no-store, NO-CACHE, only-if-cached, max-age=1, min-fresh=2, max-stale=3, stale-if-error=4")
        #expect(directives.noStore && directives.noCache && directives.onlyIfCached)
        #expect(directives.maxAge == 1 && directives.minFresh == 2 && directives.maxStale == 3)
        #expect(directives.staleIfError == 4)
        #expect(RequestDirectives("max-stale").maxStale == .infinity)
        #expect(RequestDirectives("max-age=x, min-fresh=x, max-stale=x").maxAge == 0)
        #expect(RequestDirectives("max-age=x, min-fresh=x, max-stale=x").minFresh == nil)
        #expect(RequestDirectives("max-age=x, min-fresh=x, max-stale=x").maxStale == nil)
    }

    static let scopes: [(String, ResponseDirectives.Scope)] = [
        ("a", .absent), ("no-cache", .whole), ("no-cache=\"A\"", .fields(["a"])), ("no-cache=a", .fields(["a"])),
        ("no-cache=\"a,b\"", .fields(["a", "b"])), ("no-cache=\"\"", .whole), ("no-cache=", .whole),
        ("no-cache=\"a b\"", .whole), ("no-cache=\"a\", no-cache=\"b\"", .fields(["a", "b"])),
        ("no-cache=\"a\", no-cache", .whole), ("no-cache, no-cache=\"a\"", .whole),
    ]

    @Test(arguments: scopes)
    func `§5.2.2.4: no-cache concerns fields, or everything where that is in doubt`(
        _ text: String, _ scope: ResponseDirectives.Scope
    ) {
        #expect(ResponseDirectives(text).noCache == scope)
    }
}
