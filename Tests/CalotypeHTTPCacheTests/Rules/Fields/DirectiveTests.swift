import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §5.2: the syntax of Cache-Control.
struct DirectiveTests {
    static let lists: [(ByteString, [CacheDirective])] = [
        ("", []), (" , ,", []), ("a", [CacheDirective(name: "a", argument: nil)]),
        ("A=B", [CacheDirective(name: "a", argument: "B")]),
        ("a=\"b, c\" , d", [CacheDirective(name: "a", argument: "b, c"), CacheDirective(name: "d", argument: nil)]),
        ("a=\"b\\\"c\"", [CacheDirective(name: "a", argument: "b\"c")]),
        ("a=\"\"", [CacheDirective(name: "a", argument: "")]),
        ("\ta\t,\tb", [CacheDirective(name: "a", argument: nil), CacheDirective(name: "b", argument: nil)]),
    ]

    @Test(arguments: lists)
    func `a line that is a list is read member by member`(_ text: ByteString, _ expected: [CacheDirective]) {
        #expect(DirectiveLine(text) == .list(expected))
    }

    static let broken: [(ByteString, [CacheDirective])] = [
        ("a=", [CacheDirective(name: "a", argument: nil)]),
        ("a=\"b", [CacheDirective(name: "a", argument: nil), CacheDirective(name: "b", argument: nil)]),
        ("a=\"b\\", [CacheDirective(name: "a", argument: nil), CacheDirective(name: "b", argument: nil)]),
        (
            "A=\"b\"c",
            [
                CacheDirective(name: "a", argument: "b"), CacheDirective(name: "b", argument: nil),
                CacheDirective(name: "c", argument: nil),
            ]
        ),
        ("a = b", [CacheDirective(name: "a", argument: nil), CacheDirective(name: "b", argument: nil)]),
        ("a b", [CacheDirective(name: "a", argument: nil), CacheDirective(name: "b", argument: nil)]),
        ("=b, c", [CacheDirective(name: "b", argument: nil), CacheDirective(name: "c", argument: nil)]),
        ("\"a, b\"", [CacheDirective(name: "a", argument: nil), CacheDirective(name: "b", argument: nil)]),
        (
            "a;b=c",
            [
                CacheDirective(name: "a", argument: nil), CacheDirective(name: "b", argument: "c"),
                CacheDirective(name: "c", argument: nil),
            ]
        ),
        ("ü, a", [CacheDirective(name: "a", argument: nil)]), ("ü", []),
        (
            "a=\"max-age=5, b",
            [
                CacheDirective(name: "a", argument: nil), CacheDirective(name: "max-age", argument: "5"),
                CacheDirective(name: "5", argument: nil), CacheDirective(name: "b", argument: nil),
            ]
        ),
    ]

    @Test(arguments: broken)
    func `of a line that is no list, all words are seen`(_ text: ByteString, _ expected: [CacheDirective]) {
        #expect(DirectiveLine(text) == .words(expected))
    }

    static let everyDirective: ByteString = """
        no-store, no-cache, private="A, b", public, must-revalidate, proxy-revalidate, must-understand, immutable, \
        max-age=1, s-maxage=2, stale-while-revalidate=3, stale-if-error=4
        """

    @Test(.requirement("RFC 9213 §2.1")) func `Cache-Control and CDN-Cache-Control know the same directives`() {
        #expect(ResponseDirectives([Self.everyDirective]) == ResponseDirectives(targeted: [Self.everyDirective]))
    }

    @Test(.requirement("RFC 9111 §5.2.2")) func `every directive of a response is known`() {
        let directives = ResponseDirectives([Self.everyDirective])
        #expect(directives.noStore && directives.noCache == .whole && directives.isPrivate == .fields(["a", "b"]))
        #expect(directives.isPublic && directives.mustRevalidate && directives.proxyRevalidate)
        #expect(directives.mustUnderstand && directives.immutable)
        #expect(directives.maxAge == 1 && directives.sharedMaxAge == 2)
        #expect(directives.staleWhileRevalidate == 3 && directives.staleIfError == 4)
        #expect(ResponseDirectives([]) == ResponseDirectives())
    }

    @Test(.requirement("RFC 9111 §5.2.1")) func `every directive of a request is known`() {
        let directives = RequestDirectives([
            "no-store, NO-CACHE, only-if-cached, max-age=1, min-fresh=2, max-stale=3, stale-if-error=4"
        ])
        #expect(directives.noStore && directives.noCache && directives.onlyIfCached)
        #expect(directives.maxAge == 1 && directives.minFresh == 2 && directives.maxStale == 3)
        #expect(directives.staleIfError == 4)
        #expect(RequestDirectives(["max-stale"]).maxStale == .infinity)
        #expect(RequestDirectives(["max-age=x, min-fresh=x, max-stale=x"]).maxAge == 0)
        #expect(RequestDirectives(["max-age=x, min-fresh=x, max-stale=x"]).minFresh == nil)
        #expect(RequestDirectives(["max-age=x, min-fresh=x, max-stale=x"]).maxStale == nil)
    }

    static let scopes: [(ByteString, ResponseDirectives.Scope)] = [
        ("a", .absent), ("no-cache", .whole), ("no-cache=\"A\"", .fields(["a"])), ("no-cache=a", .fields(["a"])),
        ("no-cache=\"a,b\"", .fields(["a", "b"])), ("no-cache=\"\"", .whole), ("no-cache=", .whole),
        ("no-cache=\"a b\"", .whole), ("no-cache=\"a\", no-cache=\"b\"", .fields(["a", "b"])),
        ("no-cache=\"a\", no-cache", .whole), ("no-cache, no-cache=\"a\"", .whole),
    ]

    @Test(.requirement("RFC 9111 §5.2.2.4"), arguments: scopes)
    func `no-cache concerns fields, or everything where that is in doubt`(
        _ text: ByteString, _ scope: ResponseDirectives.Scope
    ) {
        #expect(ResponseDirectives([text]).noCache == scope)
    }

    static let strays: [(String, [ByteString], @Sendable (ResponseDirectives) -> Bool)] = [
        ("an open quote before it", ["max-age=600, foo=\"bar, no-store"], { $0.forbidStoring(200) }),
        ("an open quote in the line before", ["max-age=600, foo=\"bar", "no-store"], { $0.forbidStoring(200) }),
        ("an open quote in the line behind", ["no-store", "foo=\"bar"], { $0.forbidStoring(200) }),
        ("an escaped quote", ["max-age=600, foo=\"bar\\\", no-store"], { $0.forbidStoring(200) }),
        ("a semicolon", ["public; max-age=600; no-store"], { $0.forbidStoring(200) }),
        ("no comma", ["max-age=600 No-Store"], { $0.forbidStoring(200) }),
        ("an empty argument", ["max-age=600, foo=, bar=\"no-store\""], { $0.forbidStoring(200) }),
        ("letters beyond ASCII", ["max-age=600, ü=\"no-store\""], { $0.forbidStoring(200) }),
        ("must-understand does not overrule it", ["foo=\"no-store, must-understand"], { $0.forbidStoring(200) }),
        ("nor from another line", ["foo=\"no-store", "must-understand"], { $0.forbidStoring(200) }),
        ("nor into another line", ["no-store", "foo=\"must-understand"], { $0.forbidStoring(200) }),
        (
            "must-understand", ["foo=\"must-understand"], { $0.forbidStoring(599) && !$0.forbidStoring(200) }
        ),
        ("private", ["max-age=600, foo=\"private"], { $0.isPrivate == .whole }),
        ("private for one field", ["max-age=600, foo, private=\"a"], { $0.isPrivate == .whole }),
        ("no-cache", ["foo=\"no-cache, a", "no-cache=\"b\""], { $0.noCache == .whole }),
        ("must-revalidate", ["foo=\"must-revalidate"], { $0.mustRevalidate && !$0.allowsAuthorization }),
        ("proxy-revalidate", ["foo=\"proxy-revalidate"], { $0.proxyRevalidate }),
        ("the smallest number, inside", ["max-age=600, foo=\"max-age=5"], { $0.maxAge == 5 }),
        ("the smallest number, outside", ["max-age=5, foo=\"max-age=600"], { $0.maxAge == 5 }),
        ("the smallest number of all lines", ["max-age=600", "max-age=5, foo=\""], { $0.maxAge == 5 }),
        ("the smallest number is in another line", ["max-age=5", "max-age=600, foo=\""], { $0.maxAge == 5 }),
        ("no number", ["max-age=600, max-age = 5"], { $0.maxAge == 0 }),
        ("a number that is none", ["max-age=600, foo=\"max-age=5a"], { $0.maxAge == 0 }),
        ("a number in quotes", ["foo bar, max-age=\"5\""], { $0.maxAge == 5 }),
        ("s-maxage", ["s-maxage=600, foo=\"s-maxage=5"], { $0.sharedMaxAge == 5 && !$0.allowsAuthorization }),
        ("stale-if-error", ["stale-if-error=600", "foo=\"stale-if-error=5"], { $0.staleIfError == 5 }),
        (
            "nothing is allowed",
            ["public, immutable, stale-if-error=60, stale-while-revalidate=60, foo=\""],
            {
                !$0.isPublic && !$0.immutable && $0.staleIfError == 0 && $0.staleWhileRevalidate == 0
                    && !$0.allowsAuthorization
            }
        ),
        ("other lines keep their word", ["public, max-age=600", "foo=\""], { $0.isPublic && $0.maxAge == 600 }),
        ("quotes that close hide what they hold", ["max-age=600, a=\"no-store, max-age=1\""], { $0.maxAge == 600 }),
        ("and do so by themselves", ["a=\"no-store\"", "b=\"private\""], { $0 == ResponseDirectives() }),
    ]

    @Test(arguments: strays)
    func `of a line that is no list, what restricts counts wherever it stands, and the smallest number`(
        _ claim: String, _ lines: [ByteString], _ holds: @Sendable (ResponseDirectives) -> Bool
    ) {
        #expect(holds(ResponseDirectives(lines)), "\(claim)")
    }

    @Test func `so it does in requests`() {
        let directives = RequestDirectives(["max-age=600, max-stale=60, foo=\"no-store, max-age=5, min-fresh=7"])
        #expect(directives.noStore && directives.maxAge == 5 && directives.minFresh == 7 && directives.maxStale == 0)
        #expect(RequestDirectives(["foo=\"", "no-cache"]).noCache)
    }
}
