#if HEIF && JPEGXL && SVG && TIFF
    import Foundation

    /// A folder with fonts and a fontconfig file that names no others.
    struct FontFolder {
        /// The fonts of all tests in this process: a worker loads each of them.
        static let nine = FontFolder(of: faces)
        /// More fonts than a worker loads. The rules prefer them to the nine for three of the families.
        static let many = FontFolder(of: faces + further)

        private let folder = FileManager.default.temporaryDirectory.appending(path: "calotype-fonts-\(UUID())")

        /// The path of the fontconfig file.
        var configuration: String { folder.appending(path: "fonts.conf").path }

        private init(of fonts: [SampleFont]) {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for font in fonts { try font.file.write(to: folder.appending(path: font.fileName)) }
                try Data(rules.utf8).write(to: folder.appending(path: "fonts.conf"))
            } catch {
                // The tests that draw letters fail.
                print("no fonts: \(error)")
            }
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }

        // MARK: - Fonts

        private static let faces = ["Sans", "Serif", "Mono"].enumerated().flatMap { index, name in
            [(400, false), (700, false), (400, true)].enumerated().map { style, face in
                SampleFont(
                    family: "Calotype \(name)", weight: face.0, isItalic: face.1,
                    box: (500 + 40 * index, 400 + 100 * style))
            }
        }

        private static let further =
            [(400, false), (700, false), (400, true), (700, true)].map {
                SampleFont(family: "Calotype Metric", weight: $0.0, isItalic: $0.1, box: (300, 900))
            }
            + [(300, false), (900, false), (700, true)].map {
                SampleFont(family: "Calotype Sans", weight: $0.0, isItalic: $0.1, box: (300, 900))
            }

        // MARK: - Rules

        /// Aliases, defaults and synthetic styles as in Debian's rules.
        private var rules: String {
            let families = ["sans-serif": "Sans", "serif": "Serif", "monospace": "Mono"].map { generic, name in
                "<alias><family>\(generic)</family><prefer><family>Calotype \(name)</family></prefer></alias>"
            }
            let metric = ["Arial": "sans-serif", "Courier New": "monospace", "Times New Roman": "serif"].map {
                "<alias binding='same'><family>\($0)</family><accept><family>Calotype Metric</family></accept></alias>"
                    + "<alias><family>\($0)</family><default><family>\($1)</family></default></alias>"
            }
            return """
                <?xml version="1.0"?>
                <!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
                <fontconfig>
                <dir>\(folder.path)</dir><cachedir>\(folder.appending(path: "cache").path)</cachedir>
                \(metric.sorted().joined(separator: "\n"))
                <match>
                  <test qual="all" name="family" compare="not_eq"><string>sans-serif</string></test>
                  <test qual="all" name="family" compare="not_eq"><string>serif</string></test>
                  <test qual="all" name="family" compare="not_eq"><string>monospace</string></test>
                  <edit name="family" mode="append_last"><string>sans-serif</string></edit>
                </match>
                \(families.sorted().joined(separator: "\n"))
                <match target="font">
                  <test name="slant"><const>roman</const></test>
                  <test target="pattern" name="slant" compare="not_eq"><const>roman</const></test>
                  <edit name="matrix" mode="assign">
                    <times>
                      <name>matrix</name>
                      <matrix><double>1</double><double>0.2</double><double>0</double><double>1</double></matrix>
                    </times>
                  </edit>
                </match>
                <match target="font">
                  <test name="weight" compare="less_eq"><const>medium</const></test>
                  <test target="pattern" name="weight" compare="more_eq"><const>bold</const></test>
                  <edit name="embolden" mode="assign"><bool>true</bool></edit>
                </match>
                </fontconfig>
                """
        }
    }
#endif
