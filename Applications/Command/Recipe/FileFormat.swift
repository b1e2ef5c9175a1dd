import Calotype
import CalotypeBase
import CalotypeCodecs

/// An image format that the command writes.
enum FileFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, avif

    static let names: [(word: String, value: FileFormat)] = [
        ("jpeg", .jpeg), ("jpg", .jpeg), ("png", .png), ("webp", .webp), ("avif", .avif),
    ]

    /// Creates the format of a name's extension; `nil` without one, and for formats that the command cannot write.
    init?(fileName: ByteString) {
        guard let format = FileName.imageFormat(fileName) else { return nil }
        self.init(rawValue: format.rawValue)
    }

    /// - Parameter remedy: The end of the message: an alternative to changing the name.
    static func problem(withFileName name: ByteString, remedy: String = ", or add --format") -> String {
        let suffix = FileName.suffix(name)
        let reason = suffix.isEmpty ? "the name has no extension" : "\(suffix) files cannot be written"
        return "\(Address.label(of: name)): \(reason); name it .jpg, .png, .webp or .avif\(remedy)"
    }

    /// Returns the names in a sentence: "jpeg, webp and avif".
    static func list(_ formats: [FileFormat]) -> String {
        let names = formats.map(\.rawValue)
        let start = names.dropLast().joined(separator: ", ")
        return names.count > 1 ? "\(start) and \(names[names.count - 1])" : names.joined()
    }

    /// Creates the output format for an original: the original's own format; PNG for a JPEG with transparency, and for
    /// formats that the command cannot write.
    init(_ format: ImageFormat, hasAlpha: Bool) {
        self = format == .jpeg && hasAlpha ? .png : FileFormat(rawValue: format.rawValue) ?? .png
    }

    var standardEncoding: EncodingFormat {
        switch self {
        case .jpeg: .jpeg()
        case .png: .png
        case .webp: .webp()
        case .avif: .avif()
        }
    }

    var imageFormat: ImageFormat { ImageFormat(rawValue: rawValue) }
}
