import CalotypeHTTP
package import CalotypeHTTPCache
package import Foundation

/// The heads of a URL's stored variants as the disk store keeps them: text, so that a person can read it.
///
///     calotype-http 1
///
///     variant 9f3c2b1a00d7e4c1 12345
///     GET 200 https://example.org/cat.jpg
///     times 1767225600.25 1767225600.5
///     part 0 12345 90000
///     vary accept-language: de
///
///     Date: Thu, 01 Jan 2026 00:00:00 GMT
///     ETag: "a"
///
/// `variant` gives the body's name and length, `times` when the request went out and when the head came, `part` the
/// bytes held (from, up to and without) and the length of the whole or `*`. Another version of the text is no text.
package enum StoredVariantText {
    private static let title = "calotype-http 1"

    package static func encode(_ variants: [StoredVariant]) -> Data {
        var text = title + "\n"
        for variant in variants { append(variant, to: &text) }
        return Data(text.utf8)
    }

    private static func append(_ variant: StoredVariant, to text: inout String) {
        let head = variant.head
        text += "\nvariant \(String(variant.id, radix: 16)) \(head.bodyLength)\n"
        text += "\(head.method.rawValue) \(head.status) \(oneLine(head.url))\n"
        text += "times \(head.requestTime) \(head.responseTime)\n"
        if let part = head.part {
            let whole = part.completeLength.map(String.init) ?? "*"
            text += "part \(part.range.lowerBound) \(part.range.upperBound) \(whole)\n"
        }
        for field in head.varying {
            text += "vary \(oneLine(field.name))" + (field.value.map { ": \(oneLine($0))" } ?? "") + "\n"
        }
        text += "\n"
        for field in head.fields { text += "\(oneLine(field.name)): \(oneLine(field.value))\n" }
    }

    /// Nil where `encode` did not make these bytes.
    package static func decode(_ data: Data) -> [StoredVariant]? {
        guard let text = String(validating: data, as: UTF8.self), text.utf8.last == UInt8(ascii: "\n") else {
            return nil
        }
        var lines = Lines(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast())
        guard lines.next() == title[...] else { return nil }
        var variants: [StoredVariant] = []
        while let line = lines.next() {
            guard line.isEmpty, let variant = variant(&lines) else { return nil }
            variants.append(variant)
        }
        return variants
    }

    private static func variant(_ lines: inout Lines) -> StoredVariant? {
        guard let name = lines.words("variant", 2), let id = UInt64(name[0], radix: 16), let length = name[1].length,
            let first = lines.next()?.split(separator: " ", maxSplits: 2), first.count == 3, let status = Int(first[1]),
            let times = lines.words("times", 2), let sent = Double(times[0]), let came = Double(times[1]),
            sent.isFinite, came.isFinite
        else { return nil }
        var part: StoredPart?
        if lines.starts(with: "part ") {
            guard let read = lines.words("part", 3).flatMap(StoredPart.init) else { return nil }
            part = read
        }
        var varying: [VaryingField] = []
        while lines.starts(with: "vary "), let line = lines.next() { varying.append(VaryingField(line.dropFirst(5))) }
        guard lines.next()?.isEmpty == true, let fields = fields(&lines) else { return nil }
        let head = StoredResponse(
            url: String(first[2]), method: HTTPMethod(rawValue: String(first[0])), status: status, fields: fields,
            requestTime: sent, responseTime: came, varying: varying, bodyLength: length, part: part)
        return StoredVariant(id: id, head: head, body: nil)
    }

    private static func fields(_ lines: inout Lines) -> HTTPFields? {
        var fields: [HTTPFields.Field] = []
        while let line = lines.peek, !line.isEmpty {
            guard let (name, value) = line.nameAndValue else { return nil }
            fields.append(.init(name: name, value: value))
            _ = lines.next()
        }
        return HTTPFields(fields)
    }

    private static func oneLine(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return text }
        return String(text.map { $0.isNewline ? " " : $0 })
    }
}

private struct Lines {
    private var rest: ArraySlice<Substring>

    init(_ lines: ArraySlice<Substring>) { rest = lines }

    var peek: Substring? { rest.first }
    mutating func next() -> Substring? { rest.popFirst() }
    func starts(with prefix: String) -> Bool { rest.first?.hasPrefix(prefix) == true }

    /// The words after the first, which must be this one.
    mutating func words(_ name: String, _ count: Int) -> [Substring]? {
        guard let words = next()?.split(separator: " "), words.count == count + 1, words[0] == name[...] else {
            return nil
        }
        return Array(words.dropFirst())
    }
}

extension Substring {
    fileprivate var length: Int? { Int(self).flatMap { $0 >= 0 ? $0 : nil } }

    /// "name: value", by bytes: a character may be more than a colon or a space.
    fileprivate var nameAndValue: (String, String)? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = utf8[colon...].dropFirst()
        guard rest.first == UInt8(ascii: " ") else { return nil }
        return (String(self[..<colon]), String(Substring(rest.dropFirst())))
    }
}

extension StoredPart {
    fileprivate init?(_ words: [Substring]) {
        guard let from = words[0].length, let to = words[1].length, from <= to else { return nil }
        guard words[2] == "*" || words[2].length != nil else { return nil }
        self.init(range: from..<to, completeLength: words[2].length)
    }
}

extension VaryingField {
    fileprivate init(_ line: Substring) {
        if let (name, value) = line.nameAndValue {
            self.init(name: name, value: value)
        } else {
            self.init(name: String(line), value: nil)
        }
    }
}
