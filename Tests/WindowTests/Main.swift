#if GTK
    import CGTK4
    import CalotypeGTK
    import Foundation
    import Testing

    /// Runs the suites of this executable in real windows.
    ///
    /// Under `swift test` the main actor's thread is not the process's main thread, which GTK needs. Here it is: the
    /// main thread runs GLib's loop, and the suites run in tasks.
    @main
    struct WindowTests {
        static func main() {
            guard MainLoop.start() else {
                FileHandle.standardError.write(
                    Data("There is no display: run this by Scripts/test, or xvfb-run.\n".utf8))
                exit(1)
            }
            // Without fades, so that an image is fully visible in the frame after its arrival.
            calotype_set_animations(0)
            let status = MainLoop.run {
                Task {
                    let status: CInt = await Testing.__swiftPMEntryPoint()
                    MainLoop.quit(status)
                }
            }
            exit(status)
        }
    }
#else
    @main
    struct WindowTests {
        static func main() { print("Built without GTK: swift build --traits GTK --product calotype-window-tests") }
    }
#endif
