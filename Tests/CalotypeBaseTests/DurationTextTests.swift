import CalotypeBase
import Testing

struct DurationTextTests {
    // A message had "15.769073708960356 seconds".
    @Test(
        arguments: [
            (.zero, "0 ms"), (.milliseconds(250), "250 ms"), (.microseconds(999_600), "1 s"), (.seconds(3), "3 s"),
            (.seconds(15.769073708960356), "15.8 s"), (.seconds(90), "90 s"), (.seconds(-2), "-2 s"),
        ] as [(Duration, String)])
    func `a duration reads as people write it`(duration: Duration, text: String) {
        #expect(duration.text == text)
    }

    @Test func `the longest duration has a text`() {
        #expect(Duration.seconds(Int64.max).text.hasSuffix(" s"))
    }
}
