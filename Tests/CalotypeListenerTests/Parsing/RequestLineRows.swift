@testable import CalotypeListener

extension RequestRow {
    /// RFC 9112 §2.2, §2.3, §3.
    static let requestLines: [RequestRow] =
        eachRefused("a control character in the method", "G¤ET / HTTP/1.1\r\nHost: a\r\n\r\n", controls)
        + eachRefused("a control character in the target", "GET /a¤b HTTP/1.1\r\nHost: a\r\n\r\n", controls)
        + eachRefused("a control character in the version", "GET / HTTP/1¤.1\r\nHost: a\r\n\r\n", controls)
        + eachRefused("a delimiter in the method", "G¤T / HTTP/1.1\r\nHost: a\r\n\r\n", delimiters)
        + eachRefused("a byte beyond ASCII in the method", "G¤T / HTTP/1.1\r\nHost: a\r\n\r\n", [0x80, 0xC3, 0xFF])
        + eachRefused("a byte beyond ASCII in the target", "GET /¤ HTTP/1.1\r\nHost: a\r\n\r\n", [0x80, 0xC3, 0xFF])
        + eachRefused("a byte beyond ASCII in the version", "GET / HTTP/1.¤\r\nHost: a\r\n\r\n", [0x80, 0xB9, 0xFF])
        + [
            taken("the plainest request", get + "\r\n", "GET /"),
            taken(
                "any token is a method", "!#$%&'*+-.^_`|~09AZaz / HTTP/1.1\r\nHost: a\r\n\r\n",
                "!#$%&'*+-.^_`|~09AZaz /"),
            taken("a method in small letters is another method", "get / HTTP/1.1\r\nHost: a\r\n\r\n", "get /"),
            taken("one empty line first", "\r\n" + get + "\r\n", "GET /"),
            taken("one empty line between requests", get + "\r\n\r\n" + get + "\r\n", "GET /", "GET /"),
            refused("two empty lines first", "\r\n\r\n" + get + "\r\n"),
            refused("a bare line feed first", "\n" + get + "\r\n"),
            refused("a bare carriage return first", "\r" + get + "\r\n"),
            refused("a space first", " " + get + "\r\n"),
            refused("a tab first", "\t" + get + "\r\n"),
            refused("two spaces before the target", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
            refused("two spaces before the version", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"),
            refused("two spaces hide a request", "GET␠␠/l HTTP/1.1\r\nA: b\nContent-Length: 34\r\n\r\n".spaced),
            refused("a space after the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
            refused("white space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
            refused("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n"),
            refused("an empty target", "GET  HTTP/1.1\r\nHost: a\r\n\r\n"),
            refused("no version", "GET /\r\nHost: a\r\n\r\n"),
            refused("a method alone", "GET\r\nHost: a\r\n\r\n"),
            refused("another protocol", "SSH-2.0-OpenSSH_9.2\r\n"),
            refused("a TLS client hello", "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}\u{00}"),
            // Versions.
            taken("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "GET / 1.0"),
            taken("a later minor version counts as 1.1", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", "GET /"),
            taken("the last minor version", "GET / HTTP/1.9\r\nHost: a\r\n\r\n", "GET /"),
            refused("HTTP/0.9", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505),
            refused("HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
            refused("HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            refused("HTTP/3.1", "GET / HTTP/3.1\r\nHost: a\r\n\r\n", 505),
            refused("a version in small letters", "GET / http/1.1\r\nHost: a\r\n\r\n"),
            refused("a mixed version", "GET / Http/1.1\r\nHost: a\r\n\r\n"),
            refused("two digits behind the point", "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
            refused("two digits before the point", "GET / HTTP/11.1\r\nHost: a\r\n\r\n"),
            refused("a leading zero", "GET / HTTP/01.1\r\nHost: a\r\n\r\n"),
            refused("no point", "GET / HTTP/11\r\nHost: a\r\n\r\n"),
            refused("no minor version", "GET / HTTP/1\r\nHost: a\r\n\r\n"),
            refused("a comma for the point", "GET / HTTP/1,1\r\nHost: a\r\n\r\n"),
            refused("a sign", "GET / HTTP/1.-\r\nHost: a\r\n\r\n"),
            refused("another name", "GET / HTCP/1.1\r\nHost: a\r\n\r\n"),
            refused("a space in the version", "GET / HTTP /1.1\r\nHost: a\r\n\r\n"),
            refused("the version of a response", "HTTP/1.1 200 OK\r\nHost: a\r\n\r\n"),
            // Limits.
            taken("a target of the limit", "GET /234 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /234", limits: .small),
            refused("a target beyond the limit", "GET /2345 HTTP/1.1\r\nHost: a\r\n\r\n", 414, limits: .small),
            refused("a target far beyond the limit", "GET /" + .repeated("a", 100), 414, limits: .small),
            taken("a method of the limit", "ABCDEF / HTTP/1.1\r\nHost: a\r\n\r\n", "ABCDEF /", limits: .small),
            refused("a method beyond the limit", "ABCDEFG / HTTP/1.1\r\nHost: a\r\n\r\n", 501, limits: .small),
            refused("a method without an end", .repeated("A", 100), 501, limits: .small),
            refused("a line without an end", "GET / HTTP/1.1" + .repeated("1", 100), 414, limits: .small),
            refused("a control character within the limit", "GET /\u{0}" + .repeated("a", 100), limits: .small),
            refused(
                "a control character beyond the limit", "GET /" + .repeated("a", 100) + "\u{0}", 414, limits: .small),
            unfinished("half a method", "GE"),
            unfinished("a line without its end", "GET / HTTP/1.1"),
            unfinished("a line without its line feed", "GET / HTTP/1.1\r"),
            unfinished("an empty line, and no more", "\r\n"),
            taken("nothing", ""),
        ]

    /// RFC 9112 §3.2.
    static let targets: [RequestRow] = [
        taken("the asterisk for OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS *"),
        taken("the origin form for OPTIONS", "OPTIONS /a HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS /a"),
        taken(
            "escapes and queries", "GET /%2e%2E//?a=%41&&b?/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%2e%2E//?a=%41&&b?/"),
        taken("a broken escape is the origin's business", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%zz"),
        taken("brackets and bars, as browsers send them", "GET /[a]{b}|^ HTTP/1.1\r\nHost: a\r\n\r\n", "GET /[a]{b}|^"),
        taken("two slashes are a path", "GET //b/c HTTP/1.1\r\nHost: a\r\n\r\n", "GET //b/c"),
        taken("the absolute form", "GET http://b/c?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://b/c?d"),
        taken("the absolute form without a path", "GET http://b HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://b"),
        taken("the absolute form with a query alone", "GET http://b?c HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://b?c"),
        taken("the absolute form with a port", "GET http://b:80/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://b:80/"),
        taken(
            "the absolute form of an address", "GET http://[::1]:8/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://[::1]:8/"),
        taken("a scheme in capitals", "GET HTTP://b/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET HTTP://b/"),
        taken("another scheme", "GET git+ssh://b/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET git+ssh://b/"),
        taken("a URL in the path", "GET /http://b:x/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET /http://b:x/"),
        taken("CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", "CONNECT a:443"),
        taken("CONNECT to an address", "CONNECT [::1]:443 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT [::1]:443"),
        refused("an asterisk for GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("more than an asterisk", "OPTIONS ** HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("a relative target", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("a query alone", "GET ?a HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("a fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("a fragment in the absolute form", "GET http://b/#c HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("a scheme without slashes", "GET mailto:a HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("a scheme with one slash", "GET http:/b HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("no scheme", "GET ://b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("a scheme that begins with a digit", "GET 1http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("a scheme with a bad character", "GET ht_tp://b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("an absolute form without a host", "GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("an absolute form with a user", "GET http://u@b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("an absolute form with a password", "GET http://u:p@b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("an absolute form with a bad port", "GET http://b:x/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("an absolute form with two ports", "GET http://b:80:80/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("an absolute form with half an address", "GET http://[::1/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("an absolute form with a backslash", "GET http://b\\c/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("an authority for GET", "GET a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("CONNECT with a path", "CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("CONNECT with an absolute form", "CONNECT http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("CONNECT without a port", "CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("CONNECT with an empty port", "CONNECT a: HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("CONNECT without a host", "CONNECT :443 HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("CONNECT with a user", "CONNECT u@a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("CONNECT with an asterisk", "CONNECT * HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]
}

extension RequestLimits {
    static var small: RequestLimits {
        var limits = RequestLimits()
        (limits.method, limits.target, limits.head, limits.fields) = (6, 4, 100, 5)
        (limits.body, limits.chunkExtensions, limits.allChunkExtensions, limits.trailers) = (10, 8, 12, 30)
        return limits
    }
}

extension String {
    static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    var spaced: String { replacing("␠", with: " ") }
}
