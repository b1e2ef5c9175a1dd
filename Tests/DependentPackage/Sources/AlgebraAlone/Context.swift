import Foundation

// Declarations that the snippets assume which use the product of the algebra alone.

let url = URL(string: "https://example.org/cat.jpg")!

func decode(_ data: Data) throws -> [UInt8] { Array(data) }
