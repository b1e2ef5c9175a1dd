import Foundation

// Declarations that the guides' snippets for Apple's platforms rely on.

struct Photo: Identifiable, Sendable {
    let id: Int
    let url: URL
}
