import CalotypeHTTP
package import CalotypeHTTPCache
import Foundation

/// The heads of a URL's stored variants as the disk store keeps them: readable text.
///
///     calotype-http 1
///
///     variant 9f3c2b1a00d7e4c1 12345 6c7be0c5a0f83cd1b6b1a4f0d2c29f11
///     GET 200 https://example.org/cat.jpg
///     times 1767225600.25 1767225600.5
///     part 0 12345 90000
///     vary accept-language: de
///
///     Date: Thu, 01 Jan 2026 00:00:00 GMT
///     ETag: "a"
///
/// `variant` is followed by the variant's ID, the body's length, its digest if any, and `absent` if the body is not
/// stored; `times` by the times of the request and of the response head, in seconds since 1970; `part` by the offsets
/// of the first stored byte and after the last one, and the complete length or `*`. Other versions are rejected.
package enum StoredVariantText {
    private static let title = "calotype-http 1"

    package static func encode(_ variants: [StoredVariant]) -> Data {
        var text = Data("\(title)\n".utf8)
        for variant in variants { append(variant, to: &text) }
        return text
    }

    private static func append(_ variant: StoredVariant, to text: inout Data) {
        let head = variant.head
        text.appendLine("")
        let digest = variant.digest.map { " \($0)" + (variant.lacksBody ? " absent" : "") } ?? ""
        text.appendLine("variant \(String(variant.id, radix: 16)) \(head.bodyLength)\(digest)")
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

    package static func decode(_ data: Data) -> [StoredVariant]? {
        guard var lines = StoredLines(data), lines.next()?.elementsEqual(title.utf8) == true else { return nil }
        var variants: [StoredVariant] = []
        while let line = lines.next() {
            guard line.isEmpty, let variant = variant(&lines) else { return nil }
            variants.append(variant)
        }
        return variants
    }

    private static func variant(_ lines: inout StoredLines) -> StoredVariant? {
        guard let name = lines.words("variant", 2...4), let id = UInt64(name[0].text, radix: 16),
            let length = name[1].length,
            let first = lines.next()?.split(separator: 0x20, maxSplits: 2), first.count == 3,
            let status = Int(first[1].text),
            let times = lines.words("times", 2...2), let sent = Double(times[0].text), let came = Double(times[1].text),
            sent.isFinite, came.isFinite
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
        var variant = StoredVariant(id: id, head: head, body: nil)
        variant.digest = name.count > 2 ? name[2].text : nil
        variant.lacksBody = name.count > 3
        return name.count > 3 && !name[3].elementsEqual("absent".utf8) ? nil : variant
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
