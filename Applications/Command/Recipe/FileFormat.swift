import Calotype
import CalotypeBase
import CalotypeCodecs

/// An image format that the command writes.
enum FileFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, avif
    #if JPEGXL
        case jxl
    #endif

    static let names: [(word: String, value: FileFormat)] =
        [("jpeg", .jpeg), ("jpg", .jpeg)]
        + allCases.dropFirst().map { ($0.rawValue, $0) }
    /// The formats that have a quality.
    static let lossy = allCases.filter { $0 != .png }
    /// The formats whose files may be lossless by option.
    static let losslessByOption = allCases.filter { ![.jpeg, .png, .avif].contains($0) }

    /// Creates the format of a name's extension; `nil` without one, and for formats that the command cannot write.
    init?(fileName: ByteString) {
        guard let format = FileName.imageFormat(fileName) else { return nil }
        self.init(rawValue: format.rawValue)
    }

    /// - Parameter remedy: The end of the message: an alternative to changing the name.
    static func problem(withFileName name: ByteString, remedy: String = ", or add --format") -> String {
        let suffix = FileName.suffix(name)
        let reason = suffix.isEmpty ? "the name has no extension" : "\(suffix) files cannot be written"
        let names = list(allCases, before: ".", word: "or").replacing(".jpeg", with: ".jpg")
        return "\(Address.label(of: name)): \(reason); name it \(names)\(remedy)"
    }

    /// Returns the names in a sentence: "jpeg, webp and avif".
    static func list(_ formats: [FileFormat], before mark: String = "", word: String = "and") -> String {
        let names = formats.map { mark + $0.rawValue }
        let start = names.dropLast().joined(separator: ", ")
        return names.count > 1 ? "\(start) \(word) \(names[names.count - 1])" : names.joined()
    }

    /// Creates the output format for an original: the original's own format, or JPEG for a camera's raw file, whose preview is
    /// one; PNG for a JPEG with transparency, and for formats that the command cannot write.
    init(_ format: ImageFormat, hasAlpha: Bool) {
        let isJPEG = format == .jpeg || format == .cameraRaw
        self = isJPEG ? (hasAlpha ? .png : .jpeg) : FileFormat(rawValue: format.rawValue) ?? .png
    }

    var standardEncoding: EncodingFormat {
        switch self {
        case .jpeg: .jpeg()
        case .png: .png
        case .webp: .webp()
        case .avif: .avif()
        #if JPEGXL
            case .jxl: .jpegXL()
        #endif
        }
    }

    var imageFormat: ImageFormat { ImageFormat(rawValue: rawValue) }
}
