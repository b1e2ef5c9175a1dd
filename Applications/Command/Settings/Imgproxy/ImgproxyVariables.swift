import CalotypeBase
import CalotypeURLs

/// imgproxy's environment variables: those with an equal among the settings of `calotype serve`, those without effect, and
/// those with which the server does not start.
struct ImgproxyVariables {
    private let context: Context
    /// imgproxy's variables.
    private let environment: Environment

    init(_ context: Context) {
        self.context = context
        environment = context.environment.filter { $0.key.hasPrefix("IMGPROXY_") }.mapValues(\.withoutCarriageReturn)
    }

    /// Returns the values of settings by the names of their options.
    func values(for arguments: Arguments) throws(UsageError) -> [String: [GivenValue]] {
        var values: [String: [GivenValue]] = [:]
        for row in Self.rows {
            guard case .equal(let equal) = row.effect, let text = environment[row.variable]?.nonEmpty,
                let option = arguments.syntax.settings.first(where: { $0.name == equal.option })
            else { continue }
            let given = GivenValue(text: text, location: .environment(row.variable))
            for value in try ValueReference(context).values(of: given, as: option, arguments) {
                guard let settings = equal.values(value.text, environment) else {
                    throw arguments.error(value, of: option, "expected \(equal.wanted)")
                }
                values[option.name, default: []] += settings.map { $0 == value.text ? value : value.converted(to: $0) }
            }
        }
        for option in ["negotiate", "enforce"] {
            if let formats = values[option] { values[option] = [Self.united(formats)] }
        }
        return values.filter { !$0.value.isEmpty }
    }

    /// Throws for the first variable without which the server would permit more than imgproxy does, or answer otherwise.
    func checkRefused(_ arguments: Arguments) throws(UsageError) {
        if let line = refusals.first { throw arguments.error(line) }
    }

    /// Returns a line for each variable with which a server does not start, in alphabetical order.
    var refusals: [String] {
        given.compactMap { name, text in
            if case .refused(let reason, let except)? = Self.row(name)?.effect, !except(text) {
                return "\(name): \(reason)"
            }
            return name.hasPrefix("IMGPROXY_ENV_") ? "\(name): \(Self.loaderReason)" : nil
        }
    }

    /// Returns a line for each variable, or part of one, that has no effect, in alphabetical order.
    var notes: [String] {
        given.flatMap { name, text -> [String] in
            switch Self.row(name)?.effect {
            case .equal(let equal): return equal.leftOut(text, environment).map { "\(name): \($0)" }
            case .none where name.hasPrefix("IMGPROXY_ENV_"), .refused: return []
            case .always(let reason, let except), .harmless(let reason, let except):
                return except(text) ? [] : ["\(name) has no effect: \(reason)"]
            case .none: return ["\(name) has no effect: the server knows no such variable of imgproxy"]
            }
        }
    }

    /// A text with the parts of variables about sources that do not count; empty without any.
    var notesAboutSources: String {
        notes.filter { $0.contains(" is left out: ") && ($0.contains("SOURCES: ") || $0.contains("ROOT: ")) }
            .map { "; \($0)" }.joined()
    }

    /// The variables that are set, in alphabetical order.
    private var given: [(key: String, value: String)] {
        environment.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    }

    /// The reason for the variables with which imgproxy loads others.
    static let loaderReason = "the server loads no variables from elsewhere: set them here, and remove the variable"

    private static func row(_ name: String) -> Row? { rows.first { $0.variable == name } }

    /// Returns one value for the variables of single formats.
    private static func united(_ given: [GivenValue]) -> GivenValue {
        let names = AcceptedFormats.names.filter { name in given.contains { $0.text == name } }
        return given[given.count - 1].converted(to: names.isEmpty ? "none" : names.joined(separator: ","))
    }
}

extension GivenValue {
    /// Returns another value with the location of this one. Messages show the text that the user has written.
    fileprivate func converted(to text: String) -> GivenValue {
        GivenValue(bytes: ByteString(text), location: location, reference: reference ?? bytes)
    }
}
