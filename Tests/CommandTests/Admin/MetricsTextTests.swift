import Testing

@testable import calotype_command

/// The text format of metrics.
struct MetricsTextTests {
    @Test func `names and values of labels are escaped, and numbers exact`() throws {
        var text = MetricsText(prefix: "a_")
        let hostile = "quote \" backslash \\ newline \n brace } end"
        text.counter("b_total", "Help with \\ and \n.", [.init(3, ("name", hostile)), .init(1 << 52, ("name", "x"))])
        text.gauge("c", "A fraction.", [.init(0.25)])
        text.gauge("d", "Without samples.", [])
        let parsed = try PrometheusText(text.text)
        #expect(parsed.value("a_b_total", ["name": hostile]) == 3)
        #expect(parsed.value("a_b_total", ["name": "x"]) == Double(1 << 52))
        #expect(text.text.contains(" 4503599627370496\n"))
        #expect(parsed.value("a_c") == 0.25 && parsed.types["a_d"] == "gauge")
    }

    @Test(arguments: [
        "a 1", "# TYPE a counter\na 1\n", "# HELP a b\n# TYPE a counter\na 1\na 1\n",
        "# HELP a b\n# TYPE a counter\nb 1\n", "# HELP a b\n# TYPE a counter\na{x=\"1} 1\n",
        "# HELP a b\n# TYPE a counter\na -1\n", "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 1\n",
        "# HELP a b\n# TYPE a counter\na{x=\"\\t\"} 1\n", "# HELP 1 b\n# TYPE 1 counter\n1 1\n",
    ])
    func `the parser of these tests is strict`(text: String) {
        #expect(throws: PrometheusText.Fault.self) { try PrometheusText(text) }
    }
}
