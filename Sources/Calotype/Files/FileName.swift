package import CalotypeBase
import Foundation

/// Safe file names for URLs and other texts.
///
/// The name is the last part of the path, percent-decoded, or the host if there is no path. Letters, digits,
/// `. _ - ~ + ( ) @ ,` and spaces stay; other characters become `_`. The name does not begin with a dot, so that no
/// file is hidden and no path leaves its folder. It has at most 200 bytes.
package enum FileName {
    package static let lengthLimit = 200

    package static func of(_ url: URL) -> String {
        let last = url.pathComponents.last { ByteString($0) != "/" }
        return safe(last ?? "", orElse: safe(url.host() ?? "", orElse: "image"))
    }

    package static func safe(_ text: String, orElse substitute: String) -> String {
        var name = ""
        for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
            if isHarmless(scalar) { name.unicodeScalars.append(scalar) } else { name += "_" }
        }
        // By scalars: a dot with an accent is one character, but hides a file.
        name = String(name.unicodeScalars.drop { $0 == "." || $0 == " " }).trimmingCharacters(in: .whitespaces)
        name = shortened(name, to: lengthLimit).trimmingCharacters(in: .whitespaces)
        // A stem of one long character goes as a whole.
        return name.isEmpty || name.utf8.first == UInt8(ascii: ".") ? substitute : name
    }

    /// Returns `true` for letters, accents, numbers, and signs that are not special in shells and file systems.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isAlphabetic || properties.numericType != nil
            || properties.canonicalCombiningClass != .notReordered || "._-~+()@, ".unicodeScalars.contains(scalar)
    }

    /// Returns a name of at most `limit` bytes. Shortens the stem, and keeps an extension of at most 16 bytes.
    package static func shortened(_ name: String, to limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        let (stem, suffix) = parts(name)
        let tail = suffix.utf8.count <= 16 ? suffix : ""
        var short = tail.isEmpty ? name : stem
        while short.utf8.count + tail.utf8.count > limit { short.removeLast() }
        return short + tail
    }

    package static func imageFormat(_ name: ByteString) -> ImageFormat? {
        ImageFormat(fileExtension: String(suffix(name).dropFirst()))
    }

    package static func isImage(_ name: ByteString) -> Bool { imageFormat(name) != nil }

    package static func isImage(_ name: String) -> Bool { isImage(ByteString(name)) }

    /// Returns the extension of the last part of a path, in lower case, such as ".jpg"; empty if it has no extension.
    package static func suffix(_ path: ByteString) -> String {
        parts(LocalPath(path).name).suffix.lowercasedASCII.displayed
    }

    package static func parts(_ name: ByteString) -> (stem: ByteString, suffix: ByteString) {
        let bytes = name.bytes
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (name, "") }
        return (ByteString(bytes: bytes[..<dot]), ByteString(bytes: bytes[dot...]))
    }

    package static func parts(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }
}

extension ImageFormat {
    /// The extension of a file in this format, such as ".jpg".
    package var suffix: String { self == .jpeg ? ".jpg" : ".\(rawValue)" }

    /// Returns whether the name has an extension of this format.
    package func fits(_ name: ByteString) -> Bool {
        ByteString(FileName.suffix(name)) == ".\(rawValue)" || FileName.imageFormat(name) == self
    }

    /// Returns the name with this format's extension, which replaces that of another image format or is appended.
    package func named(_ name: String) -> String {
        if fits(ByteString(name)) { return name }
        return (FileName.isImage(name) ? FileName.parts(name).stem : name) + suffix
    }
}
