internal import CalotypeHTTP

/// The value of a directive, in either of the two syntaxes, and what it does to what is known so far.
///
/// Each method answers whether the value is of a type that the directive may have. In Cache-Control every value is.
enum DirectiveValue {
    /// The argument of a member of Cache-Control.
    case listed(ByteString?)
    /// The argument of a word in a line of Cache-Control that is no list of directives. It may only restrict.
    case stray(ByteString?)
    /// A member of a dictionary (RFC 8941), as in CDN-Cache-Control.
    case structured(StructuredField.Value)

    /// A flag that restricts.
    @discardableResult
    func demand(_ flag: inout Bool) -> Bool {
        switch self {
        case .listed, .stray: flag = true
        case .structured(.item(.boolean(let isOn))): flag = isOn
        case .structured: return false
        }
        return true
    }

    /// A flag that permits.
    @discardableResult
    func allow(_ flag: inout Bool) -> Bool { isStray ? true : demand(&flag) }

    /// The whole response, or some of its fields.
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

    /// A number of seconds: the first counts, one that is no number is 0, and of strays the smallest.
    ///
    /// - Parameter absent: What a stray is compared with where the directive is missing: `.infinity` if seconds restrict,
    ///   0 if they permit.
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

    /// RFC 9111 §1.2.2; `nil` where the argument is not a number.
    var seconds: Double? { argument.flatMap(DeltaSeconds.parse) }
}
