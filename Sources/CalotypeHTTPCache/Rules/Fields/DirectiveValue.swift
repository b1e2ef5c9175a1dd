internal import CalotypeHTTP

/// The value of a directive in Cache-Control or CDN-Cache-Control. Each method applies it to a property of the parsed
/// directives, and returns `false` if the directive does not allow this type of value. Cache-Control allows any value.
enum DirectiveValue {
    /// The argument of a directive in a well-formed line of Cache-Control.
    case listed(ByteString?)
    /// The argument of a directive in a malformed line of Cache-Control, which may only add restrictions.
    case stray(ByteString?)
    /// A member of a dictionary (RFC 8941), as in CDN-Cache-Control.
    case structured(StructuredField.Value)

    /// Sets a flag that restricts the use of a response.
    @discardableResult
    func demand(_ flag: inout Bool) -> Bool {
        switch self {
        case .listed, .stray: flag = true
        case .structured(.item(.boolean(let isOn))): flag = isOn
        case .structured: return false
        }
        return true
    }

    /// Sets a flag that extends the use of a response. A malformed line has no effect.
    @discardableResult
    func allow(_ flag: inout Bool) -> Bool { isStray ? true : demand(&flag) }

    /// Applies a restriction to the whole response or to some of its fields.
    @discardableResult
    func restrict(_ scope: inout ResponseDirectives.Scope) -> Bool {
        switch self {
        case .listed(let names): scope = scope.joined(with: .init(names))
        case .stray: scope = .whole
        case .structured(.item(.boolean(let isOn))): scope = isOn ? .whole : .absent
        case .structured(.item(.string(let names))): scope = .init(names)
        case .structured: return false
        }
        return true
    }

    /// Applies a number of seconds. In well-formed lines of Cache-Control, the first number wins. A number in a
    /// malformed line can only reduce it. In Cache-Control, an invalid number counts as 0.
    ///
    /// - Parameter absent: The value that a malformed line can reduce if no well-formed line has the directive:
    ///   `.infinity` if the seconds restrict reuse, 0 if they permit it.
    @discardableResult
    func limit(_ seconds: inout Double?, absent: Double = .infinity) -> Bool {
        switch self {
        case .listed: seconds = seconds ?? self.seconds ?? 0
        case .stray: seconds = min(seconds ?? absent, self.seconds ?? 0)
        case .structured(.item(.integer(let number))): seconds = min(DeltaSeconds.limit, max(0, Double(number)))
        case .structured: return false
        }
        return true
    }

    var isStray: Bool {
        if case .stray = self { true } else { false }
    }

    var argument: ByteString? {
        switch self {
        case .listed(let argument), .stray(let argument): argument
        case .structured: nil
        }
    }

    /// The argument in seconds (RFC 9111 §1.2.2), or `nil` if it is not a number.
    var seconds: Double? { argument.flatMap(DeltaSeconds.parse) }
}
