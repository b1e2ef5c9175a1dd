package import CalotypeHTTP

extension CacheRules {
    /// The fields of an answer that belong to the client that asked and to no other: in a shared cache, Set-Cookie.
    ///
    /// A departure from RFC 9111 §3.2, by which the Set-Cookie of a 304, of an answer to HEAD or of a 206 would take the
    /// stored one's place, and go out with every hit: one client's session would be given to all the others.
    package func personalFields(of fields: HTTPFields) -> HTTPFields {
        guard isShared else { return [:] }
        return HTTPFields(fields.filter { $0.isPersonal })
    }

    /// The fields without those of ``personalFields(of:)``.
    func withoutPersonalFields(_ fields: HTTPFields) -> HTTPFields {
        guard isShared, fields.contains(where: \.isPersonal) else { return fields }
        return HTTPFields(fields.filter { !$0.isPersonal })
    }
}

extension HTTPFields.Field {
    fileprivate var isPersonal: Bool {
        name == "Set-Cookie" || name == "Set-Cookie2"
    }
}
