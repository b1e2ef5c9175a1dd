@testable import CalotypeListener

extension RequestRow {
    /// RFC 9112 §2.2, §5; RFC 9110 §5.
    static let fieldLines: [RequestRow] =
        eachRefused("a control character in a name", get + "X¤A: b\r\n\r\n", controls)
        + eachRefused("a control character in a value", get + "X-A: b¤c\r\n\r\n", controls.filter { $0 != 0x09 })
        + eachRefused("a control character at a value's end", get + "X-A: b¤\r\n\r\n", controls.filter { $0 != 0x09 })
        + eachRefused(
            "a delimiter in a name", get + "X¤A: b\r\n\r\n", delimiters.filter { $0 != UInt8(ascii: ":") })
        + eachRefused("a byte beyond ASCII in a name", get + "X¤A: b\r\n\r\n", [0x80, 0xC3, 0xFF])
        + [
            taken(
                "white space around values", get + "X-A: \t b \t\r\nX-B:\r\nX-C:c\r\nX-D:  \r\n\r\n", "GET /",
                fields: ["Host=a", "X-A=b", "X-B=", "X-C=c", "X-D="]),
            taken(
                "white space within a value", get + "X-A: b \t c\r\n\r\n", "GET /", fields: ["Host=a", "X-A=b \t c"]),
            taken(
                "bytes beyond ASCII in a value", get + "X-A: \u{80}\u{E4}\u{FF}\r\n\r\n", "GET /",
                fields: ["Host=a", "X-A=\u{80}\u{E4}\u{FF}"]),
            taken("any token is a name", get + "!#$%&'*+-.^_`|~09AZaz: b\r\n\r\n", "GET /"),
            taken("colons in a value", get + "X-A: b:c::\r\n\r\n", "GET /", fields: ["Host=a", "X-A=b:c::"]),
            taken("a colon first in a value", get + "X-A::b\r\n\r\n", "GET /", fields: ["Host=a", "X-A=:b"]),
            taken(
                "one name in several cases and lines", get + "X-A: 1\r\nx-a: 2\r\nX-A: 1\r\n\r\n", "GET /",
                fields: ["Host=a", "X-A=1", "x-a=2", "X-A=1"]),
            taken("no fields at all", "GET / HTTP/1.0\r\n\r\n", "GET / 1.0", fields: []),
            refused("no name", get + ": b\r\n\r\n"),
            refused("no colon", get + "Nonsense\r\n\r\n"),
            refused("white space before a colon", get + "X-A : b\r\n\r\n"),
            refused("a tab before a colon", get + "X-A\t: b\r\n\r\n"),
            refused("white space before the colon of a length", post + "Content-Length : 3\r\n\r\nabc"),
            refused("white space before the colon of a coding", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
            refused("a folded line", get + "X-A: b\r\n c\r\n\r\n"),
            refused("a line folded by a tab", get + "X-A: b\r\n\tc\r\nX-B: d\r\n\r\n"),
            refused("a folded empty line", get + "X-A: b\r\n \r\n\r\n"),
            refused("a folded length", post + "Content-Length:\r\n 3\r\n\r\nabc"),
            refused("white space before the first field", "GET / HTTP/1.1\r\n X-A: b\r\nHost: a\r\n\r\n"),
            refused("bare line feeds throughout", "GET / HTTP/1.1\nHost: a\n\n"),
            refused("a bare line feed between fields", "GET / HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n"),
            refused("a bare line feed that hides a length", post + "X-A: b\nContent-Length: 34\r\n\r\n"),
            refused("a bare line feed at the last field", get + "X-A: b\n\r\n"),
            refused("a bare line feed at the end", get + "X-A: b\r\n\n"),
            refused("a bare carriage return between fields", get + "X-A: b\rX-B: c\r\n\r\n"),
            refused("a bare carriage return at the end", get + "\r\r\n"),
            refused("two carriage returns before a line feed", get + "X-A: b\r\r\n\r\n"),
            refused("NUL before a line's end", get + "X: y\0\r\nA: b\r\nC: d\r\n\r\n"),
            refused("a hidden coding", get + "X: y\0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            refused("a request in a value", get + "X-A: b\r\n\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n"),
            unfinished("no empty line", get),
            unfinished("half an empty line", get + "\r"),
            // Limits.
            taken(
                "as many fields as allowed", get + .repeated("A: b\r\n", 4) + "\r\n", "GET /", limits: .small),
            refused("one field more", get + .repeated("A: b\r\n", 5) + "\r\n", 431, limits: .small),
            taken("a head of the limit", get + "A: " + .repeated("a", 68) + "\r\n\r\n", "GET /", limits: .small),
            refused("a head one byte longer", get + "A: " + .repeated("a", 69) + "\r\n\r\n", 431, limits: .small),
            refused("a head without an end", get + "A: " + .repeated("a", 300), 431, limits: .small),
            refused("a name without an end", get + .repeated("a", 300), 431, limits: .small),
            refused("a control character within the limit", get + "A: \0" + .repeated("a", 300), limits: .small),
            refused(
                "a control character beyond the limit", get + "A: " + .repeated("a", 300) + "\0", 431, limits: .small),
        ]

    /// RFC 9112 §3.2: exactly one, a host with an optional port.
    static let hosts: [RequestRow] =
        eachRefused("a character that is in no host", "GET / HTTP/1.1\r\nHost: a¤b\r\n\r\n", #" "/<>?@[\]^`{|}#"#.utf8)
        + [
            "a", "example.com", "EXAMPLE.com.", "a:80", "a:", "a:0", "a:65535", "127.0.0.1", "127.0.0.1:8080", "[::1]",
            "[::1]:80", "[::]", "[1::]", "[2001:db8::1]", "[1:2:3:4:5:6:7:8]", "[::ffff:127.0.0.1]",
            "[1:2:3:4:5:6:1.2.3.4]", "[ABCD:ef01::]", "a_b", "a%20b", "a%C3%A4", "!$&'()*+,;=", "xn--4ca", "1", "",
        ].map { host in
            taken("the host \(host)", "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", "GET /", fields: ["Host=\(host)"])
        }
        + [
            "]", "[", "[]", "[::1", "::1", "a:x", "a:80:80", "a:-1", "a:+1", "a:65536", "a:99999999999999999999",
            "a:8 0",
            ":80", ":", "[::1]80", "[::1]a", "[::1]:x", "[:::]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[12345::]",
            "[g::]", "[1::2::3]", "[:1]", "[1:]", "[::1.2.3]", "[::1.2.3.256]", "[::1.2.3.04]", "[1.2.3.4]",
            "[::1%25eth0]", "[v1.a]", "[a]", "a%", "a%2", "a%2g", "u@a", "u:p@a", "http://a", "a/", "a/b", "a?b", "a#b",
            "a\tb", "a b", "\u{E4}", "1:2:3:4:5:6:7:8", "[1:2:3:4:5:6:7::8:9]",
        ].map { host in refused("the host \(host)", "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") }
        + [
            taken("a host of HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", "GET / 1.0"),
            taken("a host in another case", "GET / HTTP/1.1\r\nhOsT: a\r\n\r\n", "GET /"),
            taken("a host that is not the target's", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://b/"),
            refused("no host", "GET / HTTP/1.1\r\nX-A: a\r\n\r\n"),
            refused("no host beside an absolute target", "GET http://a/ HTTP/1.1\r\n\r\n"),
            refused("two hosts", get + "Host: b\r\n\r\n"),
            refused("one host twice", get + "Host: a\r\n\r\n"),
            refused("two hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
            refused("a bad host in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a/b\r\n\r\n"),
        ]
}
