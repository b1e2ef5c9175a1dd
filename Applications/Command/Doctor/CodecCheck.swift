import Calotype
import CalotypeComparison

enum CodecCheck {
    /// The results of encoding and decoding a sample in each writable format, then the other formats read or missing.
    static var findings: [Finding] { written + read + missing }

    private static var written: [Finding] {
        FileFormat.allCases.map { format in
            let name = format.rawValue
            do throws(CodecError) {
                let sample = try Bitmap(width: 16, height: 16, hasAlpha: false) { pixels, _ in
                    for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : UInt8(index / 4 % 16 * 16) }
                }
                let again = try DecoderRegistry.standard.decode(try sample.encoded(as: format.standardEncoding))
                let similarity = ImageComparison(sample, again)?.signalToNoise ?? 0
                guard similarity > 20 else { return Finding(.problem, name, "an encoded image decodes to another one") }
                return Finding(.ok, name, "reads and writes")
            } catch {
                return Finding(.problem, name, "\(error)")
            }
        }
    }

    private static var read: [Finding] {
        let writable = FileFormat.allCases.map(\.imageFormat.mediaType)
        let types = DecoderRegistry.standard.acceptField.split(separator: ",").map { type in
            type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        }
        let names = types.filter { !writable.contains($0) && $0 != "*/*" }.map { type in
            ["image/svg+xml": "svg", "image/vnd.microsoft.icon": "ico"][type] ?? type.replacing("image/", with: "")
        }
        return [Finding(.ok, "other formats", "reads \(names.joined(separator: ", "))")]
    }

    private static var missing: [Finding] {
        MissingFormat.formatsByTrait.compactMap { trait, formats in
            guard !MissingFormat.builtTraits.contains(trait) else { return nil }
            return Finding(.note, formats.joined(separator: ", "), "not in this build (trait \(trait))")
        }
    }

    static var isolation: Finding {
        do throws(CodecError) {
            try DecoderWorkers.shared.start()
            return Finding(.ok, "isolation", "decoders run in processes that can only compute")
        } catch {
            return Finding(.problem, "isolation", "\(error)")
        }
    }

    static var libraries: [Finding] {
        let versions = TransportLibraries.versions + StoreLibraries.versions + CodecLibraries.versions
        return versions.map { Finding(.ok, $0.name, $0.version) }
    }
}
