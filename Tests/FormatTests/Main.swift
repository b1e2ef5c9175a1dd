#if HEIF && JPEGXL && SVG && TIFF
    import Foundation
    import Testing

    /// Runs the suites of the formats behind package traits, separately because they need more libraries.
    @main
    struct FormatTests {
        static func main() async {
            // Before anything reads the machine's fonts, which the tests must not depend on.
            setenv("FONTCONFIG_FILE", FontFolder.nine.configuration, 1)
            if Outcomes.writeIfAsked() {
                for folder in [FontFolder.nine, .many] { folder.remove() }
                return
            }
            let status: CInt = await Testing.__swiftPMEntryPoint()
            for folder in [FontFolder.nine, .many] { folder.remove() }
            exit(status)
        }
    }
#else
    @main
    struct FormatTests {
        static func main() {
            print(
                "Build it with all formats: swift build --traits HEIF,JPEGXL,SVG,TIFF --product calotype-format-tests"
            )
        }
    }
#endif
