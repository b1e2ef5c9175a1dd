import CalotypeBase
package import Foundation

/// Header fields that a caller's closure gives for a URL, such as a token for one host.
package struct FieldsOfURL: Hashable, Sendable {
    /// The closure, as an object: two requests with the same closure are equal.
    package final class Source: Hashable, Sendable {
        let fields: @Sendable (URL) -> HTTPFields

        package init(_ fields: @escaping @Sendable (URL) -> HTTPFields) { self.fields = fields }

        package static func == (left: Source, right: Source) -> Bool { left === right }
        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    fileprivate let source: Source
    /// The names of the fields in the request that come from the closure.
    fileprivate var names: [CaselessString] = []

    package func fields(of url: URL) -> HTTPFields { source.fields(url) }
}

extension HTTPRequest {
    /// Adds those of the URL's fields that the request does not set.
    package mutating func add(fieldsFrom source: FieldsOfURL.Source) {
        var given = FieldsOfURL(source: source)
        let own = fields
        for field in source.fields(url) where own[field.name] == nil {
            fields.append(field.value, to: field.name)
            given.names.append(field.name)
        }
        fieldsOfURL = given
    }

    /// Replaces the fields of an earlier URL by those of the request's present one.
    package mutating func renewFieldsOfURL() {
        guard let given = fieldsOfURL else { return }
        for name in given.names { fields[name] = nil }
        add(fieldsFrom: given.source)
    }
}
