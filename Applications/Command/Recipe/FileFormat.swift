import CalotypeCodecs

/// A format that images are written in.
enum FileFormat: Sendable, Hashable {
    case jpeg, png, webp, avif

    /// As the command line says it.
    static let names: [(word: String, value: FileFormat)] = [
        ("jpeg", .jpeg), ("jpg", .jpeg), ("png", .png), ("webp", .webp), ("avif", .avif),
    ]

    /// The one that a name's extension stands for; nil for none and for others.
    init?(fileName: String) {
        guard let format = FileName.imageFormat(fileName),
            let written = FileFormat.names.first(where: { $0.value.imageFormat == format })
        else { return nil }
        self = written.value
    }

    /// Why no format can be told from the name of a file to be written, and what to do about it.
    static func problem(withFileName name: String) -> String {
        let suffix = FileName.suffix(name)
        let reason = suffix.isEmpty ? "its name has no extension" : "\(suffix) files cannot be written"
        return "\(Address.label(of: name)): \(reason); name it .jpg, .png, .webp or .avif, or add --format"
    }

    /// The same as an image was in, or the nearest that is written here.
    init(_ format: ImageFormat, hasAlpha: Bool) {
        switch format {
        case .jpeg: self = hasAlpha ? .png : .jpeg
        case .webp: self = .webp
        case .avif: self = .avif
        default: self = .png
        }
    }

    /// The format in its default quality.
    var standardEncoding: EncodingFormat {
        switch self {
        case .jpeg: .jpeg()
        case .png: .png
        case .webp: .webp()
        case .avif: .avif()
        }
    }

    var imageFormat: ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        case .avif: .avif
        }
    }
}

extension ImageFormat {
    /// The extension that people give it.
    var suffix: String { self == .jpeg ? ".jpg" : ".\(rawValue)" }

    /// Returns whether a name has an extension of this format, in any of its spellings.
    func fits(_ name: String) -> Bool {
        FileName.suffix(name) == ".\(rawValue)" || FileName.imageFormat(name) == self
    }

    /// The name with an extension that tells the truth: another format's is replaced, any other kept in front.
    func named(_ name: String) -> String {
        if fits(name) { return name }
        return (FileName.isImage(name) ? FileName.parts(name).stem : name) + suffix
    }
}
