import CalotypeBase
import CalotypeURLs
import Foundation

/// Several files as one body: a form (RFC 7578), which browsers parse by `formData()`, or a tar archive (POSIX ustar).
struct ResultList {
    struct Part {
        /// The name in a form: the place among the results, from 1.
        let name: ByteString
        /// The file name without its extension, and the type.
        let stem: ByteString
        let mediaType: ByteString
        let data: Data
        /// Whether a form has it as a file. If not, it is a text.
        let isFile: Bool

        /// The name of the file.
        fileprivate var fileName: ByteString {
            let type = mediaType.split(separator: UInt8(ascii: "/")).last ?? ""
            let suffix: ByteString = type == "jpeg" ? ".jpg" : type == "svg+xml" ? ".svg" : ".\(type)"
            return stem.hasSuffix(suffix) ? stem : "\(stem)\(suffix)"
        }
    }

    private let parts: [Part]

    init(_ parts: [Part]) { self.parts = parts }

    // MARK: A form

    /// - Returns: The value of Content-Type, and the body.
    func form() -> (type: ByteString, body: Data) {
        // No file has this text: 128 bits are random.
        let boundary = [UInt64.random(in: .min ... .max), .random(in: .min ... .max)]
            .map { String($0, radix: 16) }.joined(separator: "-")
        var body = Data()
        for part in parts {
            var head: ByteString = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\""
            if part.isFile { head = "\(head); filename=\"\(part.fileName.quotable)\"" }
            head = "\(head)\r\nContent-Type: \(part.mediaType)\r\n\r\n"
            head.withBytes { body.append(contentsOf: $0) }
            body.append(part.data)
            body.append(contentsOf: "\r\n".utf8)
        }
        body.append(contentsOf: "--\(boundary)--\r\n".utf8)
        return ("multipart/form-data; boundary=\(boundary)", body)
    }

    // MARK: A tar archive

    private static let block = 512

    /// - Parameter time: The files' time, in seconds since 1970.
    func tar(at time: Double) -> Data {
        var archive = Data()
        for (index, part) in parts.enumerated() {
            archive.append(header(of: part, named: tarName(of: part, index), time: Int(saturating: time)))
            archive.append(part.data)
            archive.append(Data(count: (Self.block - part.data.count % Self.block) % Self.block))
        }
        archive.append(Data(count: 2 * Self.block))
        return archive
    }

    /// Returns a name without folders, of at most 100 bytes, that no other file of the archive has.
    private func tarName(of part: Part, _ index: Int) -> ByteString {
        let name = part.fileName.quotable
        let isTaken = parts[..<index].contains { $0.fileName.quotable == name }
        return isTaken || name.count > 100 || name.hasPrefix(".") ? "\(part.name)-\(name.bytes.suffix(80).text)" : name
    }

    private func header(of part: Part, named name: ByteString, time: Int) -> Data {
        var header = [UInt8](repeating: 0, count: Self.block)
        func write(_ text: some Collection<UInt8>, at place: Int) {
            for (offset, byte) in text.enumerated() where place + offset < header.count {
                header[place + offset] = byte
            }
        }
        func octal(_ number: Int, digits: Int) -> [UInt8] {
            let text = String(min(max(number, 0), 1 << (3 * digits) - 1), radix: 8)
            return Array((String(repeating: "0", count: digits - text.utf8.count) + text).utf8)
        }
        write(name.bytes.prefix(100), at: 0)
        write(octal(0o644, digits: 7), at: 100)
        write(octal(0, digits: 7), at: 108)
        write(octal(0, digits: 7), at: 116)
        write(octal(part.data.count, digits: 11), at: 124)
        write(octal(time, digits: 11), at: 136)
        write(Array("        0".utf8), at: 148)
        write(Array("ustar\u{0}00".utf8), at: 257)
        // The sum counts its own field as spaces.
        write(octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + [0, 0x20], at: 148)
        return Data(header)
    }
}

extension ByteString {
    /// A file name that a quoted string can have, in every file system: "_" stands for all other characters.
    fileprivate var quotable: ByteString {
        let special = Array("\"\\/:*?<>|%".utf8)
        return withBytes {
            ByteString(bytes: $0.map { (0x20..<0x7F).contains($0) && !special.contains($0) ? $0 : 0x5F })
        }
    }
}

extension Sequence<UInt8> {
    fileprivate var text: ByteString { ByteString(bytes: self) }
}
