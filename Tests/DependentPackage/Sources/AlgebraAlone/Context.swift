import Foundation

// What the snippets leave to the reader that show the product of the algebra without any other.

let url = URL(string: "https://example.org/cat.jpg")!
