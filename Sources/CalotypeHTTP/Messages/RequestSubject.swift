package import CalotypeBase

/// The thing that a request with a placeholder URL asks for, parsed, so that no layer parses it again.
package struct RequestSubject: Hashable, Sendable {
    package let value: any Hashable & Sendable
    /// The host of the value's content, in lower case; `nil` if the content is local. An HTTP cache shares out its
    /// background revalidations among hosts.
    package let host: ByteString?

    package init(_ value: any Hashable & Sendable, host: ByteString?) {
        (self.value, self.host) = (value, host)
    }

    package static func == (one: RequestSubject, other: RequestSubject) -> Bool {
        AnyHashable(one.value) == AnyHashable(other.value)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}
