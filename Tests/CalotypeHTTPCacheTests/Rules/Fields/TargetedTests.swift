import CalotypeHTTP
import Testing

@testable import CalotypeHTTPCache

/// RFC 9213: CDN-Cache-Control.
struct TargetedTests {
    static let exchanges: [Exchange] = [
        Exchange("§2.2: max-age", Exchange.shared, ["CDN-Cache-Control": "max-age=3600"], .served),
        Exchange(
            "§2.2: means nothing to a private cache", Exchange.alone, ["CDN-Cache-Control": "max-age=3600"], .notStored),
        Exchange("§2.1: 2³¹", Exchange.shared, ["CDN-Cache-Control": "max-age=2147483648"], .served),
        Exchange("§2.1: more", Exchange.shared, ["CDN-Cache-Control": "max-age=99999999999"], .served),
        Exchange(
            "§2.1: more digits than an integer has", Exchange.shared, ["CDN-Cache-Control": "max-age=9999999999999999"],
            .notStored),
        Exchange("§2.2: max-age=0", Exchange.shared, ["CDN-Cache-Control": "max-age=0", "ETag": "\"a\""], .validated),
        Exchange(
            "§2.1: below 0 is 0", Exchange.shared, ["CDN-Cache-Control": "max-age=-5", "ETag": "\"a\""], .validated),
        Exchange(
            "RFC 9111 §5.1: older", Exchange.shared,
            ["CDN-Cache-Control": "max-age=3600", "Age": "7200", "ETag": "\"a\""], .validated),
        Exchange("§2.1: extensions", Exchange.shared, ["CDN-Cache-Control": "a, max-age=3600"], .served),
        Exchange("§2.1: parameters are ignored", Exchange.shared, ["CDN-Cache-Control": "max-age=3600;a=1;b"], .served),
        Exchange(
            "§2.2: before a past Expires", Exchange.shared, ["CDN-Cache-Control": "max-age=3600", "Expires": "@-100"],
            .served),
        Exchange(
            "§2.2: before a broken Expires", Exchange.shared, ["CDN-Cache-Control": "max-age=3600", "Expires": "0"],
            .served),
        Exchange(
            "§2.2: 0 before Expires", Exchange.shared,
            ["CDN-Cache-Control": "max-age=0", "Expires": "@100", "ETag": "\"a\""], .validated),
        Exchange(
            "§2.2: before a shorter max-age", Exchange.shared,
            ["Cache-Control": "max-age=1", "CDN-Cache-Control": "max-age=3600"], .served),
        Exchange(
            "§2.2: before a longer max-age", Exchange.shared,
            ["Cache-Control": "max-age=3600", "CDN-Cache-Control": "max-age=1", "ETag": "\"a\""], .validated),
        Exchange(
            "§2.2: private", Exchange.shared, ["CDN-Cache-Control": "private", "Cache-Control": "max-age=60"],
            .notStored),
        Exchange(
            "§2.2: no-cache", Exchange.shared, ["CDN-Cache-Control": "no-cache", "Cache-Control": "max-age=60"],
            .notStored),
        Exchange(
            "§2.2: no-cache, with a validator", Exchange.shared, ["CDN-Cache-Control": "no-cache", "ETag": "\"a\""],
            .validated),
        Exchange(
            "§2.2: no-store", Exchange.shared, ["CDN-Cache-Control": "no-store", "Cache-Control": "max-age=60"],
            .notStored),
        Exchange(
            "§2.2: before no-store", Exchange.shared, ["CDN-Cache-Control": "max-age=60", "Cache-Control": "no-store"],
            .served),
        Exchange(
            "§2.2: a broken one is ignored", Exchange.shared,
            ["CDN-Cache-Control": "max-age=60, &&&", "Cache-Control": "no-store"], .notStored),
        Exchange(
            "§2.1: one of the wrong type", Exchange.shared,
            ["CDN-Cache-Control": "max-age=\"60\"", "Cache-Control": "no-store"], .notStored),
        Exchange(
            "§2.1: a flag of the wrong type", Exchange.shared,
            ["CDN-Cache-Control": "max-age=60, no-store=1", "Cache-Control": "no-store"], .notStored),
        Exchange(
            "RFC 8941 §3.2: keys are in small letters", Exchange.shared,
            ["CDN-Cache-Control": "MaX-aGe=60", "Cache-Control": "no-store"], .notStored),
        Exchange(
            "RFC 8941 §3.2: white space before =", Exchange.shared,
            ["CDN-Cache-Control": "max-age =60", "Cache-Control": "max-age=1", "ETag": "\"a\""], .validated),
        Exchange(
            "RFC 8941 §3.2: white space behind =", Exchange.shared,
            ["CDN-Cache-Control": "max-age= 60", "Cache-Control": "max-age=1", "ETag": "\"a\""], .validated),
        Exchange(
            "§2.2: an empty one is none", Exchange.shared, ["CDN-Cache-Control": "", "Cache-Control": "max-age=60"],
            .served),
        Exchange(
            "§2.2: lines are one dictionary", Exchange.shared,
            ["CDN-Cache-Control": "a", "CDN-Cache-Control": "max-age=60"], .served),
        Exchange(
            "RFC 8941 §4.2.2: of two, the last", Exchange.shared, ["CDN-Cache-Control": "max-age=1, max-age=60"],
            .served),
        Exchange(
            "RFC 8941 §4.2: a string that begins in one line and ends in another", Exchange.shared,
            ["CDN-Cache-Control": "max-age=60, a=\"b", "CDN-Cache-Control": "no-store\"", "Cache-Control": "no-store"],
            .notStored),
        Exchange(
            "§2.2: words of a broken one mean nothing", Exchange.shared,
            ["CDN-Cache-Control": "no-store, a=\"", "Cache-Control": "max-age=60"], .served),
        Exchange("§2.1: ?0 is absent", Exchange.shared, ["CDN-Cache-Control": "max-age=60, no-store=?0"], .served),
        Exchange(
            "§2.2: none of ours replaces all the same", Exchange.shared,
            ["CDN-Cache-Control": "foo", "Cache-Control": "max-age=60"], .notStored),
    ]

    @Test(arguments: exchanges)
    func `CDN-Cache-Control stands in for Cache-Control and Expires`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    @Test func `the field itself is passed on`() throws {
        let response = try stored(["CDN-Cache-Control": "max-age=60"])
        #expect(response.fields["CDN-Cache-Control"] == "max-age=60")
    }
}
