internal import CalotypeBase
internal import CalotypeHTTP
public import Foundation

// The heads of a key's variants as readable text.
//
//     calotype-http 1
//
//     variant 9f3c2b1a00d7e4c1 12345 6c7be0c5a0f83cd1b6b1a4f0d2c29f11
//     GET 200 https://example.org/cat.jpg
//     times 1767225600.25 1767225600.5
//     part 0 12345 90000
//     vary accept-language: de
//
//     Date: Thu, 01 Jan 2026 00:00:00 GMT
//     ETag: "a"
//
// `variant` is followed by the variant's ID, the body's length, its digest if any, and `absent` if the body is not
// stored; `times` by the times of the request and of the response head, in seconds since 1970; `part` by the offsets
// of the first stored byte and after the last one, and the complete length or `*`. Other versions are rejected.
extension [StoredVariant] {
    /// The heads as text, for a store: everything but the bodies, in the order of the array.
    public var encodedHeads: Data {
        var text = Data("\(StoredVariantText.title)\n".utf8)
        for variant in self { variant.appendHead(to: &text) }
        return text
    }

    /// Creates variants without bodies from their heads as text, or returns `nil` for other data, such as the text of
    /// another version.
    public init?(encodedHeads: Data) {
        guard var lines = StoredLines(encodedHeads), lines.next()?.elementsEqual(StoredVariantText.title.utf8) == true
        else { return nil }
        var variants: [StoredVariant] = []
        while let line = lines.next() {
            guard line.isEmpty, let variant = StoredVariant(&lines) else { return nil }
            variants.append(variant)
        }
        self = variants
    }
}

private enum StoredVariantText {
    static let title = "calotype-http 1"
}

extension StoredVariant {
    fileprivate func appendHead(to text: inout Data) {
        text.appendLine("")
        let digest = digest.map { " \($0)" + (lacksBody ? " absent" : "") } ?? ""
        text.appendLine("variant \(String(id, radix: 16)) \(head.bodyLength)\(digest)")
        text.appendLine("\(head.method.rawValue) \(head.status) \(head.url)")
        text.appendLine("times \(head.requestTime) \(head.responseTime)")
        if let part = head.part {
            let whole = part.completeLength.map(String.init) ?? "*"
            text.appendLine("part \(part.range.lowerBound) \(part.range.upperBound) \(whole)")
        }
        for field in head.varying {
            text.appendLine(field.value.map { "vary \(field.name): \($0)" } ?? "vary \(field.name)")
        }
        text.appendLine("")
        text.appendLines(of: head.fields)
    }

    fileprivate init?(_ lines: inout StoredLines) {
        guard let name = lines.words("variant", 2...4), let id = UInt64(name[0].text, radix: 16),
            let length = name[1].length,
            let first = lines.next()?.split(separator: 0x20, maxSplits: 2), first.count == 3,
            let status = Int(first[1].text), (100...999).contains(status),
            let times = lines.words("times", 2...2), let sent = times[0].time, let came = times[1].time
        else { return nil }
        var part: StoredPart?
        if lines.starts(with: "part ") {
            guard let read = lines.words("part", 3...3).flatMap(StoredPart.init) else { return nil }
            part = read
        }
        var varying: [VaryingField] = []
        while lines.starts(with: "vary "), let line = lines.next() { varying.append(VaryingField(line.dropFirst(5))) }
        guard lines.next()?.isEmpty == true, let fields = lines.fields() else { return nil }
        let head = StoredResponse(
            url: ByteString(bytes: first[2]), method: HTTPMethod(rawValue: ByteString(bytes: first[0])), status: status,
            fields: fields,
            requestTime: sent, responseTime: came, varying: varying, bodyLength: length, part: part)
        guard name.count <= 3 || name[3].elementsEqual("absent".utf8) else { return nil }
        self.init(id: id, head: head, body: nil)
        digest = name.count > 2 ? name[2].text : nil
        lacksBody = name.count > 3
    }
}

extension StoredPart {
    fileprivate init?(_ words: [StoredLines.Line]) {
        guard let from = words[0].length, let to = words[1].length, from <= to else { return nil }
        let isUnknown = words[2].elementsEqual("*".utf8)
        guard isUnknown || words[2].length != nil else { return nil }
        self.init(range: from..<to, completeLength: words[2].length)
    }
}

extension VaryingField {
    fileprivate init(_ line: StoredLines.Line) {
        if let (name, value) = line.nameAndValue {
            self.init(name: name, value: value)
        } else {
            self.init(name: CaselessString(ByteString(bytes: line)), value: nil)
        }
    }
}
