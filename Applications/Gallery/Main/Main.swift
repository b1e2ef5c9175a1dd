import CalotypeGallery

/// The application that shows the photographs of a folder or a server in a window.
@main
struct Gallery {
    static func main() {
        #if GTK
            GalleryApplication.main(GalleryArguments.words)
        #else
            print("Built without GTK: swift build --traits GTK --product calotype-gallery")
        #endif
    }
}
