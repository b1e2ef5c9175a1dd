package import Foundation

/// An answer over a raw connection, as far as it has arrived.
package struct ReceivedAnswer: Sendable {
    package private(set) var bytes = Data()
    private var head: (status: Int, fields: [String: String], count: Int)?

    package var status: Int { head?.status ?? 0 }
    package var body: Data { bytes.dropFirst(head?.count ?? bytes.count) }

    /// - Parameter name: The name of a field in lower case.
    package func field(_ name: String) -> String? { head?.fields[name] }

    mutating func add(_ new: some Sequence<UInt8>) {
        bytes += new
        guard head == nil, let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) else { return }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        head = (lines.first.flatMap { Int($0.dropFirst(9).prefix(3)) } ?? 0, fields, end.upperBound)
    }

    /// Whether all announced bytes have arrived, and not one more.
    ///
    /// - Parameter isHead: Whether the request was for the head alone.
    func isWhole(isHead: Bool) -> Bool {
        guard let head else { return false }
        if isHead || head.status == 304 { return body.isEmpty }
        return head.fields["content-length"].flatMap { Int($0) } == body.count
    }
}
