#if GTK
    import CalotypeGTK
    import Foundation

    /// Photos of an API or a folder, in a window.
    @main
    struct Gallery {
        static func main() {
            let arguments: GalleryArguments
            do throws(GalleryMessage) {
                arguments = try GalleryArguments(CommandLine.arguments.dropFirst())
            } catch {
                leave(error.text, status: 2)
            }
            if arguments.wantsHelp {
                print(GalleryArguments.help)
                return
            }
            guard MainLoop.start() else {
                leave("There is no display: DISPLAY or WAYLAND_DISPLAY names none that can be used.", status: 1)
            }
            let status = MainLoop.run { GalleryWindow.open(arguments.place) }
            exit(status)
        }

        private static func leave(_ message: String, status: Int32) -> Never {
            FileHandle.standardError.write(Data("calotype-gallery: \(message)\n".utf8))
            exit(status)
        }
    }
#else
    @main
    struct Gallery {
        static func main() { print("Built without GTK: swift build --traits GTK --product calotype-gallery") }
    }
#endif
