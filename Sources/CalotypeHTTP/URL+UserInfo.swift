import CalotypeBase
package import Foundation

extension URL {
    /// The URL without user and password, for errors, metrics and logs.
    package var withoutUserInfo: URL {
        // Few URLs contain the byte, and parsing takes longer than the search.
        absoluteString.utf8.contains(UInt8(ascii: "@")) ? withUser(of: nil) : self
    }

    /// Returns the URL with the user and password of `other`, or with neither if `other` is `nil`. The URL's own user
    /// and password are dropped.
    package func withUser(of other: URL?) -> URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        let own = other.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let (user, password) = (own?.percentEncodedUser, own?.percentEncodedPassword)
        guard
            parts.percentEncodedUser.map({ ByteString($0) }) != user.map({ ByteString($0) })
                || parts.percentEncodedPassword.map({ ByteString($0) }) != password.map({ ByteString($0) })
        else { return self }
        (parts.percentEncodedUser, parts.percentEncodedPassword) = (user, password)
        return parts.url ?? self
    }
}
