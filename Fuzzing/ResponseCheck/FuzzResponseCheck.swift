import CalotypeBase
import CalotypeFuzzSupport
import CalotypeHTTP
import Foundation

@testable import CalotypeTransport

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\ncontent-length: 5\r\nX-A: b\r\n c\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\n X: a\r\n\r\n", "HTTP/2 204\r\nset-cookie: a\r\nset-cookie: \u{E9}\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.0 302 Found\nLocation : /\nContent-Length : 3\n\n",
        ].map { Data($0.utf8) } + [Data("HTTP/1.1 200 OK\r\nETag: \"".utf8) + [0xE9, 0x80] + Data("\"\r\n\r\n".utf8)]
    }
}

/// Parses a response's head line by line, as curl delivers it. An accepted head must have only one interpretation.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let lines = Array(input(bytes, count)).split(separator: 0x0A, omittingEmptySubsequences: false)
    var parser = ResponseHeadParser(limit: 4096)
    var block: [[UInt8]] = []
    do throws(TransportError) {
        for line in lines {
            let interim = try take(line + [0x0A], by: &parser)
            block.append(line.last == 0x0D ? Array(line.dropLast()) : Array(line))
            if let head = interim ?? parser.head { check(head, block, isFinal: interim == nil) }
            if interim != nil { block = [] }
            if parser.head != nil { return 0 }
        }
    } catch {
        require(error.code == .malformedResponse, "refused as something else: \(error)")
    }
    return 0
}

private func take(_ line: ArraySlice<UInt8>, by parser: inout ResponseHeadParser) throws(TransportError)
    -> ResponseHead?
{
    let result = Array(line).withUnsafeBytes { bytes in
        Result { () throws(TransportError) in try parser.take(bytes) }
    }
    return try result.get()
}

/// - Parameter block: The lines of the head without line ends, including the final empty line.
private func check(_ head: ResponseHead, _ block: [[UInt8]], isFinal: Bool) {
    require((head.status >= 200) == isFinal, "an interim head that is final: \(head)")
    let lines = block.drop { $0.isEmpty }.dropFirst().dropLast()
    require(lines.first.map { !isFolded($0) } ?? true, "a head that begins with a folded line: \(head)")
    var fields: [(name: [UInt8], pieces: [[UInt8]])] = []
    for line in lines {
        require(line.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }, "a control character: \(line)")
        if isFolded(line) {
            require(!isFraming(fields[fields.count - 1].name), "folded framing: \(head)")
            fields[fields.count - 1].pieces.append(words(line[...]))
        } else {
            let name = Array(line.prefix { $0 != 0x3A })
            require(name.count < line.count, "a line without a colon: \(line)")
            require(!isFraming(words(name[...])) || words(name[...]) == name, "white space behind \(name)")
            fields.append((words(name[...]), [words(line[(name.count + 1)...])]))
        }
    }
    require(fields.count == head.fields.count, "as many fields as lines: \(head)")
    for (field, (name, pieces)) in zip(head.fields, fields) {
        let value = Array(pieces.filter { !$0.isEmpty }.joined(separator: [0x20]))
        require(!name.isEmpty && name.allSatisfy(\.isTokenCharacter), "no name: \(name)")
        require(field.name.spelling.bytes == name, "\(field.name) is not what came: \(name)")
        require(field.value.bytes == value, "\(field.value) is not what came: \(value)")
    }
    if isFinal { checkFraming(fields.map { (lower($0.name), $0.pieces[0]) }) }
}

/// Requires that all values of Content-Length are equal, and that the field does not occur with Transfer-Encoding.
private func checkFraming(_ fields: [([UInt8], [UInt8])]) {
    let lengths = fields.filter { $0.0 == Array("content-length".utf8) }.flatMap { $0.1.split(separator: 0x2C) }
    let isCoded = fields.contains { $0.0 == Array("transfer-encoding".utf8) }
    let isAnnounced = fields.contains { $0.0 == Array("content-length".utf8) }
    require(!isAnnounced || !isCoded, "both a length and a coding")
    let numbers = Set(lengths.map { String(decoding: words($0), as: UTF8.self) }.filter { !$0.isEmpty }.map(Int.init))
    require(!isAnnounced || numbers.count == 1 && numbers.first != .some(nil), "lengths that differ: \(numbers)")
}

private func isFolded(_ line: [UInt8]) -> Bool { line.first == 0x20 || line.first == 0x09 }

private func isFraming(_ name: [UInt8]) -> Bool {
    ["content-length", "transfer-encoding"].contains { lower(name) == Array($0.utf8) }
}

private func lower(_ bytes: [UInt8]) -> [UInt8] { bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 } }

/// Returns the bytes without spaces and tabs at both ends.
private func words(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    let blanks = start.reversed().prefix { $0 == 0x20 || $0 == 0x09 }
    return Array(start.dropLast(blanks.count))
}
