import CalotypeBase
import CalotypeFuzzSupport
import CalotypeHTTP
import Foundation

@testable import CalotypeHTTPCache

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            "Foo, Accept\n\nfoo:1, 2\naccept:a/b;q=0.5, c\n\nFoo:1\nFoo:2\nAccept:c,a/b ; q=0.5",
            "accept-language\nUser-Agent\n\nAccept-Language:en, de\nuser-agent:a,,b\n\nAccept-Language:DE,EN\nUser-Agent:a,b",
            "*, a\n\n\n\n", "\"a\n\na:1\n\na:2", "Accept-Encoding,,\n\naccept-encoding:\"a, b\n\naccept-encoding:\"a,b",
            "Accept\n\nAccept:\(String(repeating: ",", count: 64))a\n\nAccept:a",
            String(repeating: "a,", count: 64) + "\n\n\n\n",
            "a\n\na:\(String(repeating: "x", count: 65))\n\na:\(String(repeating: "x", count: 64))y",
        ].map { Data($0.utf8) }
    }
}

/// Checks that a stored response matches a second request if, and only if, a slower implementation of Vary agrees.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let parts = parts(of: Array(input(bytes, count)))
    guard parts.count == 3, let url = URL(string: "http://localhost/a") else { return -1 }
    let response = HTTPFields(parts[0].map { .init(name: "Vary", value: ByteString(bytes: $0)) })
    let requests = parts[1...].map { HTTPRequest(url, fields: fields($0)) }
    let rules = CacheRules(.shared)
    let names = nominated(parts[0])
    let stored = requests.map { request in
        rules.varying(response, for: request).map { varying in
            StoredResponse(url: "", status: 200, fields: response, requestTime: 0, responseTime: 0, varying: varying)
        }
    }
    guard let first = stored[0], let second = stored[1], let names else {
        require(stored.allSatisfy { $0 == nil } && names == nil, "not both know what Vary names: \(response)")
        return 0
    }
    let isSame = names.allSatisfy { means($0, parts[1]) == means($0, parts[2]) }
    for (variant, own, other) in [(first, 0, 1), (second, 1, 0)] {
        require(rules.match(variant, requests[own]) == .exact, "a variant is not for its own request: \(requests[own])")
        let match = rules.match(variant, requests[other])
        require((match == .exact) == isSame, "\(names) of \(requests[0].fields) and \(requests[1].fields): \(match)")
        require(rules.select([variant], for: requests[other]).isEmpty == !isSame, "select and match differ")
        let longest = variant.varying.compactMap(\.value).map(\.count).max() ?? 0
        require(longest <= 72, "a long value is kept: \(variant.varying)")
    }
    require((first.variantKey == second.variantKey) == isSame, "keys of variants differ from what they are for")
    return 0
}

/// Splits the input into three parts of lines, separated by empty lines.
private func parts(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.split(maxSplits: 2, omittingEmptySubsequences: false) { $0.isEmpty }.map { $0.filter { !$0.isEmpty } }
}

private func fields(_ lines: [ArraySlice<UInt8>]) -> HTTPFields {
    HTTPFields(
        lines.map { line in
            let (name, value) = nameAndValue(line)
            return .init(name: CaselessString(ByteString(bytes: name)), value: ByteString(bytes: value))
        })
}

private func nameAndValue(_ line: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
    let name = line.prefix { $0 != 0x3A }
    return (name, line[name.endIndex...].dropFirst())
}

// MARK: The slower implementation of Vary

private func nominated(_ lines: [ArraySlice<UInt8>]) -> Set<[UInt8]>? {
    let members = lines.flatMap { $0.split(separator: 0x2C).map { folded(trimmed($0)) } }.filter { !$0.isEmpty }
    let isList = members.allSatisfy { $0 != [0x2A] && $0.allSatisfy(\.isTokenCharacter) }
    return isList && lines.map(places).reduce(0, +) <= 64 ? Set(members) : nil
}

/// Counts the members of a list, empty ones included.
private func places(_ list: some Sequence<UInt8>) -> Int { list.count { $0 == 0x2C } + 1 }

/// Returns a field's values in a normal form, or `nil` if the field is missing.
private func means(_ name: [UInt8], _ lines: [ArraySlice<UInt8>]) -> [[UInt8]]? {
    let values = lines.map(nameAndValue).filter { folded($0.0) == name }.map(\.1)
    guard !values.isEmpty else { return nil }
    let joined = Array(values.map { Array($0) }.joined(separator: Array(", ".utf8)))
    let isAccept = name == Array("accept".utf8)
    let isList = isAccept || ["charset", "encoding", "language"].contains { name == Array("accept-\($0)".utf8) }
    guard isList, !joined.contains(0x22), places(joined) <= 64 else { return [[1], joined] }
    let members = joined.split(separator: 0x2C).map { member -> [UInt8] in
        let pieces = member.split(separator: 0x3B, omittingEmptySubsequences: false).map { piece in
            Array(piece.split { $0 == 0x20 || $0 == 0x09 }.joined(separator: [0x20]))
        }
        let tidy = Array(pieces.joined(separator: [0x3B]))
        return isAccept ? tidy : folded(tidy[...])
    }
    return [[2]] + members.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
}

private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let blanks: Set<UInt8> = [0x20, 0x09]
    let start = bytes.drop { blanks.contains($0) }
    return start.prefix(start.count - start.reversed().prefix { blanks.contains($0) }.count)
}

private func folded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
}
