import CalotypeGTK
import Foundation

// Declarations that the documents' snippets assume.

struct Photo: Identifiable, Sendable {
    var album: String { "Holidays" }
    var id: Int
    var name: String
    var imageURL: URL
}

struct PhotoAPI {
    func nextPage() async -> [Photo] { [] }
}

let api = PhotoAPI()
let url = URL(string: "https://example.org/cat.jpg")!

@MainActor var box: UnsafeMutablePointer<GtkBox>?

func show(_ photo: Photo) {}
