@testable import CalotypeListener

extension RequestRow {
    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

    /// RFC 9112 §6.
    static let framing: [RequestRow] =
        [
            "+3", "-3", "-0", "3.0", "0x3", "3a", "a", "3 3", "3,3", "3, 3", "3, 4", "\"3\"", "3;", "1e1", "", "\u{B3}",
            "٣",
        ]
        .map { value in
            refused("the length \(value)", post + "Content-Length: \(value.latin)\r\n\r\nabc")
        }
        + [
            "gzip", "gzip, chunked", "chunked, gzip", "chunked, identity", "identity", "chunked, chunked", "xchunked",
            "chunkedx", "chunked;a=b", "chunked,", ",chunked", "\"chunked\"", "chun ked", "chunked chunked", "",
            "\u{0B}chunked", "cow",
        ].map { value in
            refused("the coding \(value)", post + "Transfer-Encoding: \(value)\r\n\r\n0\r\n\r\n")
        }
        + [
            taken("no length is no body", post + "\r\n" + next, "POST /", "GET /next"),
            taken("a length", post + "Content-Length: 3\r\n\r\nabc" + next, "POST / <abc>", "GET /next"),
            taken(
                "white space around a length", post + "Content-Length: \t 3 \t\r\n\r\nabc" + next, "POST / <abc>",
                "GET /next"),
            taken("no white space before a length", post + "Content-Length:3\r\n\r\nabc", "POST / <abc>"),
            taken("a length of 0", post + "Content-Length: 0\r\n\r\n" + next, "POST /", "GET /next"),
            taken(
                "a length with zeros before it", post + "Content-Length: 003\r\n\r\nabc" + next, "POST / <abc>",
                "GET /next"),
            taken("one length twice", post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "POST / <abc>"),
            taken("a body of GET", get + "Content-Length: 3\r\n\r\nabc" + next, "GET / <abc>", "GET /next"),
            taken("a body of HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", "POST / 1.0 <abc>"),
            taken("chunks", chunked + "3\r\nabc\r\n0\r\n\r\n" + next, "POST / <abc>", "GET /next"),
            taken("chunked in capitals", post + "Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n", "POST /"),
            taken(
                "white space around chunked",
                post + "Transfer-Encoding: \t chunked \t\r\n\r\n1\r\na\r\n0\r\n\r\n" + next,
                "POST / <a>", "GET /next"),
            taken(
                "a name of the framing within another", post + "X-Content-Length: x\r\nX-Transfer-Encoding: y\r\n\r\n",
                "POST /"),
            refused("two lengths", post + "Content-Length: 3\r\nContent-Length: 0\r\n\r\n"),
            refused("two lengths, the longer one last", post + "Content-Length: 0\r\nContent-Length: 3\r\n\r\n"),
            refused("one number in two forms", post + "Content-Length: 3\r\nContent-Length: 03\r\n\r\nabc"),
            refused("lengths in two cases", post + "content-length: 3\r\nCONTENT-LENGTH: 4\r\n\r\nabc"),
            refused("a length beyond numbers", post + "Content-Length: 99999999999999999999999\r\n\r\n"),
            refused("a length of 2⁶³", post + "Content-Length: 9223372036854775808\r\n\r\n"),
            refused("a length that wraps to 3", post + "Content-Length: 18446744073709551619\r\n\r\nabc"),
            refused("the largest length", post + "Content-Length: 9223372036854775807\r\n\r\n", 413),
            refused("a length and chunks", post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            refused("chunks and a length", post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"),
            refused(
                "chunks and a length of 0", post + "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n"),
            refused(
                "two lines of codings", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n"),
            refused(
                "chunked twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            refused(
                "an empty coding beside chunked", post + "Transfer-Encoding:\r\nTransfer-Encoding: chunked\r\n\r\n"),
            refused("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            // Limits.
            taken(
                "a body of the limit", post + "Content-Length: 10\r\n\r\n0123456789", "POST / <0123456789>",
                limits: .small),
            refused("a body beyond the limit", post + "Content-Length: 11\r\n\r\n", 413, limits: .small),
            taken(
                "chunks of the limit", chunkedInShort + "a\r\n0123456789\r\n0\r\n\r\n", "P / <0123456789>",
                limits: .small),
            refused("a chunk beyond the limit", chunkedInShort + "b\r\n", 413, limits: .small),
            refused("chunks beyond the limit", chunkedInShort + "9\r\n012345678\r\n2\r\n", 413, limits: .small),
            // Pieces.
            unfinished("a body that is not there", post + "Content-Length: 3\r\n\r\n"),
            unfinished("half a body", post + "Content-Length: 3\r\n\r\nab"),
            unfinished("a request behind a body", post + "Content-Length: 3\r\n\r\nabcGET", after: "POST / <abc>"),
            refused(
                "what follows a body too short", post + "Content-Length: 1\r\n\r\nabc \r\n\r\n", after: "POST / <a>"),
            taken(
                "three requests", get + "\r\n" + post + "Content-Length: 1\r\n\r\nx" + next, "GET /", "POST / <x>",
                "GET /next"),
        ]

    private static let chunkedInShort = "P / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// RFC 9112 §7.1.
    static let chunks: [RequestRow] =
        eachRefused("a control character in a size", chunked + "1¤\r\na\r\n0\r\n\r\n", controls.filter { $0 != 0x0D })
        + eachRefused(
            "a control character in an extension", chunked + "1;a¤=b\r\na\r\n0\r\n\r\n", controls.filter { $0 != 0x09 })
        + eachRefused(
            "a control character in quotes", chunked + "1;a=\"¤\"\r\na\r\n0\r\n\r\n", controls.filter { $0 != 0x09 })
        + eachRefused("a control character in a trailer's name", chunked + "0\r\nX¤A: b\r\n\r\n", controls)
        + eachRefused(
            "a control character in a trailer", chunked + "0\r\nX-A: b¤c\r\n\r\n", controls.filter { $0 != 0x09 })
        + ["g", "-1", "+1", "0x1", " 1", "\t1", "", "1g", "1 1", "1 ", "1\t", "1,", "1_", "\u{E4}"].map { size in
            refused("the size \(size)", chunked + "\(size)\r\na\r\n0\r\n\r\n")
        }
        + [
            ";", ";;", ";=", ";a=", ";a;", ";a b", ";a=b c", ";a ", ";a=b ", ";a=\"", ";a=\"b", ";a=\"b\"c", ";a=\"b\\",
            ";=b", ";a==b", ";a=b=c", ";(a)", ";a=(b)", " ", " a", ";\u{E4}", ";a=\u{E4}", ";a=\"b\" ",
        ].map { text in refused("the extension \(text)", chunked + "1\(text)\r\na\r\n0\r\n\r\n") }
        + [
            ";a", ";a=b", ";a=\"b\"", ";a=\"\"", ";a=\"b;c\\\"\\\\\"", ";a;b=c;d=\"e\"", " ;a", "; a", "\t;\ta\t=\tb",
            ";a = \"b\" ;c", ";a=\"\u{E4}\"", ";!#$%&'*+-.^_`|~=x",
        ].map { text in
            taken("the extension \(text)", chunked + "1\(text)\r\na\r\n0\(text)\r\n\r\n", "POST / <a>")
        }
        + [
            taken("several chunks", chunked + "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "POST / <abc>"),
            taken(
                "sizes in hexadecimal", chunked + "A\r\n0123456789\r\nb\r\n0123456789a\r\n0\r\n\r\n",
                "POST / <01234567890123456789a>"),
            taken("zeros before a size", chunked + "0000000000000001\r\na\r\n0000\r\n\r\n", "POST / <a>"),
            taken("line ends within a chunk", chunked + "4\r\n\r\n\r\n\r\n0\r\n\r\n", "POST / <\r\n\r\n>"),
            taken("a request within a chunk", chunked + "6\r\nGET / \r\n0\r\n\r\n", "POST / <GET / >"),
            refused("17 digits", chunked + "00000000000000001\r\na\r\n0\r\n\r\n"),
            refused("a size of 2⁶³", chunked + "8000000000000000\r\n"),
            refused("a size of 2⁶⁴ - 1", chunked + "ffffffffffffffff\r\n"),
            refused("a size that wraps to 1", chunked + "10000000000000001\r\na\r\n0\r\n\r\n"),
            refused("the largest size", chunked + "7fffffffffffffff\r\n", 413),
            refused("sizes whose sum wraps", chunked + "1\r\na\r\n7fffffffffffffff\r\n", 413),
            refused("a bare line feed behind a size", chunked + "1\na\r\n0\r\n\r\n"),
            refused("a bare line feed behind an extension", chunked + "1;a\na\r\n0\r\n\r\n"),
            refused("a bare line feed behind a chunk", chunked + "1\r\na\n0\r\n\r\n"),
            refused("a bare line feed at the end", chunked + "0\r\n\n"),
            refused("a bare line feed behind a trailer", chunked + "0\r\nX-A: b\n\r\n"),
            refused("a bare carriage return behind a size", chunked + "1\ra\r\n0\r\n\r\n"),
            refused("a chunk longer than its size", chunked + "1\r\nab\r\n0\r\n\r\n"),
            refused("a chunk shorter than its size", chunked + "3\r\na\r\n0\r\n\r\n"),
            refused("no line end behind a chunk", chunked + "1\r\na0\r\n\r\n"),
            // Trailers.
            taken("trailers are dropped", chunked + "0\r\nX-A: b\r\nX-B:\r\n\r\n" + next, "POST /", "GET /next"),
            taken(
                "a trailer of the framing is dropped", chunked + "0\r\nContent-Length: 5\r\n\r\n" + next, "POST /",
                "GET /next"),
            refused("a folded trailer", chunked + "0\r\nX-A: b\r\n c\r\n\r\n"),
            refused("a trailer without a name", chunked + "0\r\n: b\r\n\r\n"),
            refused("a trailer without a colon", chunked + "0\r\nX-A\r\n\r\n"),
            refused("white space before a trailer's colon", chunked + "0\r\nX-A : b\r\n\r\n"),
            refused("a request where a trailer should be", chunked + "0\r\nGET / HTTP/1.1\r\n\r\n"),
            // Limits.
            taken("extensions of the limit", chunkedInShort + "1;234567\r\na\r\n0\r\n\r\n", "P / <a>", limits: .small),
            refused("long extensions", chunkedInShort + "1;23456789\r\na\r\n0\r\n\r\n", limits: .small),
            refused("many extensions", chunkedInShort + "1;23456\r\na\r\n1;23456\r\na\r\n0\r\n\r\n", limits: .small),
            taken(
                "trailers of the limit", chunkedInShort + "0\r\nX: \(String.repeated("a", 23))\r\n\r\n", "P /",
                limits: .small),
            refused(
                "long trailers", chunkedInShort + "0\r\nX: \(String.repeated("a", 24))\r\n\r\n", 431, limits: .small),
            refused("trailers without an end", chunkedInShort + "0\r\n" + .repeated("a", 100), 431, limits: .small),
            unfinished("no chunk", chunked),
            unfinished("half a size", chunked + "1"),
            unfinished("half a chunk", chunked + "3\r\nab"),
            unfinished("no last chunk", chunked + "1\r\na\r\n"),
            unfinished("no end", chunked + "0\r\n"),
            unfinished("half an end", chunked + "0\r\n\r"),
        ]
}

extension String {
    /// Each byte of the text's UTF-8 as the character with that number.
    fileprivate var latin: String { String(String.UnicodeScalarView(utf8.map { Unicode.Scalar($0) })) }
}
