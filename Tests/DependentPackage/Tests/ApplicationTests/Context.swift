import Foundation

// Declarations that the documents' snippets assume.

let url = URL(string: "https://example.org/cat.jpg")!
