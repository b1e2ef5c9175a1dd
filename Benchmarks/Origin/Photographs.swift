import CalotypeCodecs
import CalotypeTesting
import Foundation

/// The images of the codec scenarios, drawn by code with as much detail as large photographs have.
enum Photographs {
    static let large = SamplePhotos.jpeg(width: 4000, height: 3000, seed: 1)
    /// A JPEG of about 8.5 MB.
    static let heavy = SamplePhotos.jpeg(width: 6000, height: 4000, seed: 3, quality: 96)
    static let medium = SamplePhotos.jpeg(width: 1600, height: 1200, seed: 2)
    static let small = SamplePhotos.jpeg(width: 600, height: 450, seed: 3)
    static let largePNG = SamplePhotos.png(width: 4000, height: 3000, seed: 1)
    static let largeWebP = SamplePhotos.webp(width: 4000, height: 3000, seed: 1)

    /// One of those below as a PNG of 4000 × 3000, in which each row has the filter that suits it.
    static let foundPNG: Data? = {
        guard let data = found.first.flatMap({ try? Data(contentsOf: $0) }),
            let photograph = try? DecoderRegistry.standard.plan(for: data).decode()
        else { return nil }
        return try? photograph.scaled(to: PixelSize(width: 4000, height: 3000)).encoded(as: .png)
    }()

    /// One of those below at 4000 × 3000 pixels, or a drawn one: codecs take less time for drawings.
    static var largePhotograph: Bitmap {
        get throws {
            guard let data = found.first.flatMap({ try? Data(contentsOf: $0) }) else {
                return SamplePhotos.bitmap(width: 4000, height: 3000, seed: 1)
            }
            let photograph = try DecoderRegistry.standard.plan(for: data).decode()
            return try photograph.scaled(to: PixelSize(width: 4000, height: 3000))
        }
    }

    /// The photographs of the package mate-backgrounds, if it is installed.
    static var found: [URL] {
        let folder = URL(filePath: "/usr/share/backgrounds/mate")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "jpg" }.sorted {
            $0.path < $1.path
        }
    }
}
