import Testing

@testable import CalotypeListener

/// RFC 9112's grammar, without any form that two readers could understand differently.
@Suite struct RequestParserTests {
    static let rows =
        RequestRow.requestLines + RequestRow.targets + RequestRow.fieldLines + RequestRow.hosts + RequestRow.framing
        + RequestRow.chunks

    @Test(arguments: rows)
    func `each row has its one answer`(_ row: RequestRow) {
        check(row, RequestReading([row.bytes[...]], row.limits))
    }

    @Test func `the answer is the same wherever the bytes are cut`() {
        for row in Self.rows {
            for cut in row.bytes.indices {
                check(row, RequestReading([row.bytes[..<cut], row.bytes[cut...]], row.limits))
            }
            check(row, RequestReading(row.bytes.indices.map { row.bytes[$0...$0] }, row.limits))
        }
    }

    private func check(_ row: RequestRow, _ reading: RequestReading) {
        let isRight =
            reading.requests == row.requests && reading.refused == row.refused
            && reading.isUnfinished == row.isUnfinished && (row.fields ?? reading.fields) == reading.fields
        #expect(isRight, "\(row.testDescription): \(reading)")
    }

    @Test func `the table is as large as it has to be`() {
        #expect(Self.rows.count >= 300)
    }

    // MARK: Connection persistence

    private func head(_ text: String) -> ParsedHead { RequestReading([Array(text.utf8)[...]], RequestLimits()).last }

    @Test(arguments: [
        ("1.1", [], true), ("1.1", ["close"], false), ("1.1", ["Close"], false), ("1.1", ["keep-alive"], true),
        ("1.1", ["x, close ,y"], false), ("1.1", ["x", "close"], false), ("1.1", ["closed"], true),
        ("1.1", ["keep-alive, close"], false), ("1.0", [], false), ("1.0", ["keep-alive"], true),
        ("1.0", ["Keep-Alive, x"], true), ("1.0", ["keep-alive", "close"], false), ("1.0", ["x"], false),
    ])
    func `who keeps the connection`(_ version: String, _ options: [String], _ isKept: Bool) {
        let lines = options.map { "Connection: \($0)\r\n" }.joined()
        #expect(head("GET / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n").keepsConnection == isKept)
    }

    @Test(arguments: [
        ("1.1", "100-continue", true), ("1.1", "100-Continue", true), ("1.1", "other", false),
        ("1.0", "100-continue", false),
    ])
    func `who waits for 100`(_ version: String, _ expectation: String, _ waits: Bool) {
        #expect(head("POST / HTTP/\(version)\r\nHost: a\r\nExpect: \(expectation)\r\n\r\n").expectsContinue == waits)
    }

    @Test(arguments: [
        ("GET /", "X: y", false), ("GET /", "Upgrade: h2c", true), ("CONNECT a:1", "X: y", true),
        ("connect /", "X: y", false),
    ])
    func `what may not be HTTP any more afterwards`(_ line: String, _ field: String, _ leaves: Bool) {
        #expect(head("\(line) HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n").leavesHTTP == leaves)
    }
}
