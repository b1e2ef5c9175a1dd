#if HEIF && JPEGXL && SVG && GdkPixbuf
    import Foundation
    import Testing

    /// Runs the suites of the formats behind package traits, separately because they need more libraries.
    @main
    struct FormatTests {
        static func main() async {
            if Outcomes.writeIfAsked() { return }
            let status: CInt = await Testing.__swiftPMEntryPoint()
            exit(status)
        }
    }
#else
    @main
    struct FormatTests {
        static func main() {
            print(
                "Build it with all formats: swift build --traits HEIF,JPEGXL,SVG,GdkPixbuf --product calotype-format-tests"
            )
        }
    }
#endif
