import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

struct DeltaSecondsTests {
    @Test(
        .requirement("RFC 9111 §1.2.2"),
        arguments: [
            ("0", 0), ("60", 60), ("003600", 3600), ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_648),
            ("2147483649", 2_147_483_648), ("99999999999999999999999999", 2_147_483_648),
        ])
    func `digits are seconds, and too many of them are 68 years`(_ text: String, _ seconds: Double) {
        #expect(DeltaSeconds.parse(ByteString(text)) == seconds)
    }

    @Test(
        .requirement("RFC 9111 §1.2.2"),
        arguments: ["", " ", "-1", "+1", "1.0", "1.5", "a1", "1a", "1 ", "'1'", "0x10", "١"])
    func `anything else is no number of seconds`(_ text: String) {
        #expect(DeltaSeconds.parse(ByteString(text)) == nil)
    }

    @Test(
        .requirement("RFC 9111 §5.1"),
        arguments: [
            (nil, 0), ("15", 15), (" 15 ", 15), ("7200, 0", 7200), ("0, 7200", 0), ("0,0", 0), ("abc", 0), ("-7200", 0),
            ("7200.0", 0), ("abc, 7200", 0), ("7200;a=b", 0), ("", 0), ("99999999999", 2_147_483_648),
        ])
    func `Age is the first member of its first line, or nothing`(_ line: String?, _ seconds: Double) {
        #expect(AgeField.parse(line.map { ByteString($0) }) == seconds)
    }
}
