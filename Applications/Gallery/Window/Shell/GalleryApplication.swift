#if GTK
    import CAdwaita
    import CalotypeDemo
    package import CalotypeGTK
    import Foundation

    /// The process of the gallery: starts GTK, opens one window, and ends with it.
    @MainActor
    package enum GalleryApplication {
        /// The name of the application on the desktop, and of its `.desktop` file and icon.
        package static let identifier = "org.calotype.Gallery"

        package static func main(_ words: some Sequence<String>) -> Never {
            let arguments: GalleryArguments
            do throws(GalleryProblem) {
                arguments = try GalleryArguments(words)
            } catch {
                leave(error.sentence, status: 2)
            }
            if arguments.wantsHelp {
                print(GalleryArguments.help)
                exit(0)
            }
            guard MainLoop.start() else {
                leave("There is no display to open a window on: check DISPLAY or WAYLAND_DISPLAY.", status: 1)
            }
            exit(MainLoop.run { open(arguments.places) })
        }

        private static func open(_ places: [String]) {
            let window = GalleryWindow(make(), GalleryModel(), settings: GallerySettingsFile())
            // The settings contain an absolute path or a URL, which stays valid if the application next starts in
            // another folder.
            if places.isEmpty {
                window.open(window.settings.place ?? firstPlace)
            } else {
                window.open(places)
            }
            window.onClose = { MainLoop.quit() }
        }

        /// The folder to open at the first start; `nil` if Debian's photographs are not installed.
        private static var firstPlace: String? {
            let photographs = PhotoFolder.standardPath + "/nature"
            return FileManager.default.fileExists(atPath: photographs) ? photographs : nil
        }

        /// Returns the application to which windows belong, with its shortcuts and style.
        package static func make() -> ObjectReference {
            adw_init()
            g_set_prgname(identifier)
            g_set_application_name(GalleryTexts.applicationName)
            gtk_window_set_default_icon_name(identifier)
            // Each start opens a window, so the application does not look for an instance that is already running.
            let application = adw_application_new(identifier, G_APPLICATION_NON_UNIQUE)
            // GLib returns an application, or ends the process.
            let reference = ObjectReference(adopting: UnsafeMutableRawPointer(application!))
            g_application_register(reference.pointer.assumingMemoryBound(to: GApplication.self), nil, nil)
            GalleryActions.setShortcuts(reference.pointer.assumingMemoryBound(to: GtkApplication.self))
            GalleryStyle.load()
            return reference
        }

        private static func leave(_ message: String, status: Int32) -> Never {
            FileHandle.standardError.write(Data("calotype-gallery: \(message)\n".utf8))
            exit(status)
        }
    }
#endif
