import CalotypeBase
package import Foundation

/// The facts about a photograph in its EXIF block.
package struct PhotoFacts: Hashable, Sendable {
    /// The local time of the exposure, such as "2026-05-01T12:30:00", with the offset from UTC if it is known; otherwise
    /// the time of the last change.
    package var date: String?
    /// The maker and the model, such as "Canon EOS R5".
    package var camera: String?
    package var artist: String?
    /// The notices of the photographer and the editor, separated by "; ".
    package var copyright: String?

    private enum Tag {
        static let (maker, model, changed) = (0x010F, 0x0110, 0x0132)
        static let (taken, digitized) = (0x9003, 0x9004)
        /// The offsets from UTC of the three times.
        static let (changedOffset, takenOffset, digitizedOffset) = (0x9010, 0x9011, 0x9012)
    }

    /// Reads the facts of a file. Each is `nil` if the file lacks it, or if it is damaged.
    package init(of file: Data) {
        file.reading { bytes in
            guard let parts = EXIFParts(of: ByteReader(bytes)) else { return }
            let (main, photo) = (parts.main, parts.photo)
            date =
                Self.date(photo?.text(Tag.taken), photo?.text(Tag.takenOffset))
                ?? Self.date(photo?.text(Tag.digitized), photo?.text(Tag.digitizedOffset))
                ?? Self.date(main.text(Tag.changed), photo?.text(Tag.changedOffset))
            camera = Self.camera(maker: Self.text(main.text(Tag.maker)), model: Self.text(main.text(Tag.model)))
            let credits = ImageCredits(main)
            artist = Self.text(credits?.artist)
            copyright = Self.text(credits?.copyright)
        }
    }

    /// Returns the text in UTF-8 or, failing that, ISO 8859-1. Texts are limited like those of ``ImageCredits``.
    private static func text(_ bytes: [UInt8]?) -> String? {
        guard let bytes, bytes.count <= ImageCredits.longestText else { return nil }
        let parts = bytes.split(separator: 0).map { ByteString(bytes: $0).trimmed.string }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func camera(maker: String?, model: String?) -> String? {
        guard let maker, let model else { return model ?? maker }
        // Most models already begin with the maker's name.
        return model.lowercased().hasPrefix(maker.lowercased()) ? model : "\(maker) \(model)"
    }

    /// Converts "2026:05:01 12:30:00" and an offset such as "+02:00". Unknown digits are spaces in EXIF.
    private static func date(_ time: [UInt8]?, _ offset: [UInt8]?) -> String? {
        guard let time = text(time), matches(time, "0000:00:00 00:00:00"), !time.hasPrefix("0000") else { return nil }
        let words = time.split(separator: " ")
        let offset = text(offset).flatMap { matches($0, "+00:00") || matches($0, "-00:00") ? $0 : nil } ?? ""
        return "\(words[0].replacing(":", with: "-"))T\(words[1])\(offset)"
    }

    /// Returns whether the text equals the pattern, in which 0 stands for any digit.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        text.utf8.count == pattern.utf8.count
            && zip(text.utf8, pattern.utf8).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == wanted
            }
    }
}
