import CalotypeCodecs
import Foundation

/// The suggested name for a saved image.
enum FileNaming {
    /// Returns the image's name without characters forbidden in file names. Appends the extension of `format` unless
    /// the name has it.
    static func name(for name: String, _ format: ImageFormat?) -> String {
        let safe = String(name.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "-" : $0 })
        let trimmed = safe.drop { $0 == "." || $0 == " " }
        let base = trimmed.isEmpty ? "image" : String(trimmed)
        guard let format, ImageFormat(fileExtension: (base as NSString).pathExtension) != format else { return base }
        return base + "." + (format == .jpeg ? "jpg" : format.rawValue)
    }
}
