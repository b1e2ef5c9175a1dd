import Foundation

// What the guides' snippets for Apple's platforms stand on.

struct Photo: Identifiable, Sendable {
    let id: Int
    let url: URL
}
