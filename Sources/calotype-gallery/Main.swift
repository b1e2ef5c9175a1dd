@main
struct Gallery {
    static func main() { print("Built without GTK: swift build --traits GTK --product calotype-gallery") }
}
