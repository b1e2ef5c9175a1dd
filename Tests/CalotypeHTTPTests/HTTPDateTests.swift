import CalotypeHTTP
import Requirements
import Testing

struct HTTPDateTests {
    @Test(
        .requirement("RFC 9110 §5.6.7"),
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "SUN, 06 NOV 1994 08:49:37 gmt", "Mon, 06 nov 1994 08:49:37 GMT",
        ])
    func `all three forms of a date are read`(_ text: String) {
        #expect(HTTPDate.parse(ByteString(text)) == 784_111_777)
    }

    @Test(arguments: [
        "", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06  Nov  1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun Nov 6 08:49:37 1994",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "0", "-1",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
    ])
    func `what is no date reads as none`(_ text: String) {
        #expect(HTTPDate.parse(ByteString(text)) == nil)
    }

    @Test(arguments: [
        ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800.0),
        ("Thursday, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
        ("Friday, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ])
    func `a year of two digits is at most fifty years ahead`(_ text: String, _ expected: Double) {
        #expect(HTTPDate.parse(ByteString(text), now: 1_767_225_600) == expected)
    }

    @Test func `a leap day exists in leap years only`() {
        #expect(HTTPDate.parse("Thu, 29 Feb 2024 12:00:00 GMT") == 1_709_208_000)
        #expect(HTTPDate.parse("Thu, 29 Feb 2000 12:00:00 GMT") == 951_825_600)
        #expect(HTTPDate.parse("Thu, 29 Feb 1900 12:00:00 GMT") == nil)
    }

    @Test(arguments: [
        (784_111_777.9, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `a moment is written as an IMF-fixdate`(_ seconds: Double, _ expected: String) {
        #expect(HTTPDate.format(seconds) == ByteString(expected))
    }

    @Test func `what was written reads back, throughout four centuries`() {
        for day in stride(from: -62_091.0, to: 84_006, by: 61) {
            let moment = day * 86_400 + 43_210
            #expect(HTTPDate.parse(HTTPDate.format(moment)) == moment)
        }
    }
}
