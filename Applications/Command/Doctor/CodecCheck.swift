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
        let written = FileFormat.allCases.map(\.rawValue)
        let names = DecoderRegistry.standard.formatNames.filter { !written.contains($0) }
        return [Finding(.ok, "other formats", "reads \(names.joined(separator: ", "))")]
    }

    private static var missing: [Finding] {
        let names = DecoderRegistry.standard.formatNames
        let formats = [("HEIF", "heic"), ("JPEGXL", "jxl"), ("SVG", "svg"), ("TIFF", "tiff")]
        return formats.filter { !names.contains($1) }.map { trait, name in
            Finding(.note, name, "not read: install calotype-formats, or build with the trait \(trait)")
        }
    }

    static var isolation: Finding {
        do throws(CodecError) {
            try DecoderIsolation.all.startAll()
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
