import Foundation

// What the snippets of the documents leave to the reader.

let url = URL(string: "https://example.org/cat.jpg")!
