import CalotypeHTTP

/// The fields that determine a request's end and host. A request in which they are ambiguous is rejected.
struct FramingFields {
    private var hosts = 0
    private var length: Range<Int>?
    private var number = 0
    private var codings = 0
    private var saysClose = false
    private var saysKeepAlive = false

    mutating func take(
        _ field: ParsedHead.Field, of bytes: Span<UInt8>, _ head: inout ParsedHead
    ) throws(RequestFault) {
        switch field.name.count {
        case 4 where bytes.isEqualIgnoringCase(field.name, to: "host"):
            hosts += 1
            guard hosts == 1 else { throw .severalHosts }
            guard bytes.isAuthority(field.value, port: .optional) else { throw .malformedHost }
        case 6 where bytes.isEqualIgnoringCase(field.name, to: "expect"):
            if bytes.isEqualIgnoringCase(field.value, to: "100-continue") { head.expectsContinue = !head.isHTTP10 }
        case 7 where bytes.isEqualIgnoringCase(field.name, to: "upgrade"):
            head.leavesHTTP = true
        case 10 where bytes.isEqualIgnoringCase(field.name, to: "connection"):
            takeConnection(field.value, of: bytes)
        case 14 where bytes.isEqualIgnoringCase(field.name, to: "content-length"):
            try takeLength(field.value, of: bytes)
        case 17 where bytes.isEqualIgnoringCase(field.name, to: "transfer-encoding"):
            codings += 1
            guard codings == 1, bytes.isEqualIgnoringCase(field.value, to: "chunked") else { throw .unsupportedCoding }
        default: break
        }
    }

    private mutating func takeConnection(_ value: Range<Int>, of bytes: Span<UInt8>) {
        var start = value.lowerBound
        while start < value.upperBound {
            let end = bytes.first(.comma, in: start..<value.upperBound) ?? value.upperBound
            let option = bytes.trimmed(start..<end)
            if bytes.isEqualIgnoringCase(option, to: "close") { saysClose = true }
            if bytes.isEqualIgnoringCase(option, to: "keep-alive") { saysKeepAlive = true }
            start = end + 1
        }
    }

    private mutating func takeLength(_ value: Range<Int>, of bytes: Span<UInt8>) throws(RequestFault) {
        guard !value.isEmpty else { throw .malformedLength }
        var number = 0
        for index in value {
            guard bytes[index].isDigit else { throw .malformedLength }
            let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooMuch) = tens.addingReportingOverflow(Int(bytes[index] - UInt8(ascii: "0")))
            guard !overflows, !isTooMuch else { throw .malformedLength }
            number = sum
        }
        if let length {
            // The digits must be equal, not only the numbers, because other recipients may compare them as text.
            guard bytes.isEqual(length, value) else { throw .malformedLength }
        }
        length = value
        self.number = number
    }

    func conclude(_ head: inout ParsedHead, _ limits: RequestLimits) throws(RequestFault) {
        guard hosts == 1 || head.isHTTP10 else { throw .missingHost }
        if codings > 0 {
            guard length == nil else { throw .lengthAndCoding }
            guard !head.isHTTP10 else { throw .codingInHTTP10 }
            head.framing = .chunked
        } else {
            guard number <= limits.body else { throw .bodyTooLarge(limit: limits.body) }
            head.framing = .length(number)
        }
        head.keepsConnection = !saysClose && (!head.isHTTP10 || saysKeepAlive)
    }
}
