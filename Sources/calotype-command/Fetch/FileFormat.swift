import CalotypeCodecs

/// A format that pictures are written in.
enum FileFormat: Sendable, Hashable {
    case jpeg, png, webp

    /// As the command line says it.
    static let names: [(word: String, value: FileFormat)] = [
        ("jpeg", .jpeg), ("jpg", .jpeg), ("png", .png), ("webp", .webp),
    ]

    /// What a name's extension promises; nil for none and for others.
    init?(fileName: String) {
        let suffix = FileName.parts(fileName).suffix.dropFirst().lowercased()
        switch suffix {
        case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
        case "png": self = .png
        case "webp": self = .webp
        default: return nil
        }
    }

    /// The same as a picture was in, or the nearest that is written here.
    init(_ format: ImageFormat, hasAlpha: Bool) {
        switch format {
        case .jpeg: self = hasAlpha ? .png : .jpeg
        case .webp: self = .webp
        default: self = .png
        }
    }

    var imageFormat: ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        }
    }
}

extension ImageFormat {
    /// The extension that people give it.
    var suffix: String { self == .jpeg ? ".jpg" : ".\(rawValue)" }

    /// The extension if it is one of this format, in any of its spellings.
    private func owns(_ suffix: String) -> Bool {
        let suffix = suffix.lowercased()
        return suffix == ".\(rawValue)" || (self == .jpeg && [".jpg", ".jpe", ".jfif"].contains(suffix))
    }

    /// The name with an extension that tells the truth: another picture's is replaced, any other kept in front.
    func named(_ name: String) -> String {
        let (stem, suffix) = FileName.parts(name)
        if owns(suffix) { return name }
        let isPicture =
            FileFormat(fileName: name) != nil
            || [".gif", ".avif", ".heic", ".bmp", ".tif", ".tiff"]
                .contains(suffix.lowercased())
        return (isPicture ? stem : name) + self.suffix
    }
}
