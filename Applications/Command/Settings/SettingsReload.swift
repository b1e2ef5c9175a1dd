import CalotypeBase
import Foundation

/// Reads a service's settings again at each SIGHUP.
struct SettingsReload {
    private let context: Context
    private let messages: ServiceMessages
    private let manager: ServiceNotifier?
    /// The values in effect.
    private var running: Values
    private var name: String { running.arguments.syntax.name }

    /// - Parameters:
    ///   - arguments: The arguments with which the service has started.
    ///   - messages: Receive the outcome of each reload.
    ///   - manager: Gets a message about each reload. The default is `nil`.
    init(
        _ arguments: Arguments, _ context: Context, _ messages: ServiceMessages, manager: ServiceNotifier? = nil
    ) {
        (self.context, self.messages, self.manager) = (context, messages, manager)
        running = Values(arguments)
    }

    /// Runs until the task is cancelled.
    ///
    /// - Parameters:
    ///   - prepare: Validates all arguments, and changes nothing. It is called with the new arguments, which the next
    ///     start would have, and with those that take effect now.
    ///   - apply: Replaces the values in effect.
    mutating func run<Prepared>(
        at hangups: AsyncStream<Void>, prepare: (Arguments) throws(UsageError) -> Prepared, apply: (Prepared) -> Void
    ) async {
        for await _ in hangups {
            manager?.reloading()
            do throws(UsageError) {
                let new = Values(try Settings(context, isReload: true).completing(running.arguments.commandLine))
                _ = try prepare(new.arguments)
                let change = change(to: new)
                apply(try prepared(change, prepare))
                running = change.values
                report(change)
                manager?.ready("settings read again")
            } catch {
                messages.complain("\(name): the settings in effect stay as they are: \(error.message)")
                manager?.ready("a mistake in the settings: those in effect stay as they are")
            }
        }
    }

    /// The effect of new values.
    private struct Change {
        /// The values that take effect: an option that a reload does not take keeps its value, so that each reload reports it
        /// until the service starts again.
        var values: Values
        var replaced: [Option] = []
        var waiting: [Option] = []
    }

    private func change(to new: Values) -> Change {
        var change = Change(values: running)
        for option in new.arguments.syntax.settings {
            let differs = running.differs(from: new, in: option)
            if option.isReloaded {
                // An equal value may be in another line, which messages name.
                change.values.take(option, from: new)
                if differs { change.replaced.append(option) }
            } else if differs {
                change.waiting.append(option)
            }
        }
        return change
    }

    /// Validates the values that take effect. New values may be right with a new option and wrong with the old one: a
    /// server whose settings now name a local address still listens on the one that others reach.
    private func prepared<Prepared>(
        _ change: Change, _ prepare: (Arguments) throws(UsageError) -> Prepared
    ) throws(UsageError) -> Prepared {
        do throws(UsageError) { return try prepare(change.values.arguments) } catch {
            guard !change.waiting.isEmpty else { throw error }
            throw UsageError("with \(Self.names(change.waiting)) unchanged until a restart: \(error.message)")
        }
    }

    private func report(_ change: Change) {
        messages.note("\(name): settings read again; changed: \(Self.names(change.replaced))")
        if !change.waiting.isEmpty { messages.complain("\(name): needs a restart: \(Self.names(change.waiting))") }
    }

    private static func names(_ options: [Option]) -> String {
        options.isEmpty ? "nothing" : options.map(\.name).joined(separator: ", ")
    }
}

extension SettingsReload {
    /// Arguments, and the contents of the files that their options name.
    private struct Values {
        private(set) var arguments: Arguments
        /// A hash of each option's file, by the option's name.
        private var files: [String: Int]

        init(_ arguments: Arguments) {
            self.arguments = arguments
            // A service reads them when it starts, and at each reload.
            let options = arguments.syntax.settings.filter { $0.offer == .files }
            files = options.reduce(into: [:]) { $0[$1.name] = Self.hash(of: $1, arguments) }
        }

        /// Returns `nil` if there is no file that can be read.
        private static func hash(of option: Option, _ arguments: Arguments) -> Int? {
            // Standard input, or a pipe, has its bytes for one reader.
            guard let path = arguments.path(option), path.isFile, let data = try? InputFile.read(path, limit: .max)
            else { return nil }
            var hasher = Hasher()
            data.withUnsafeBytes { hasher.combine(bytes: $0) }
            return hasher.finalize()
        }

        func differs(from other: Values, in option: Option) -> Bool {
            arguments.allGiven(option).map(\.bytes) != other.arguments.allGiven(option).map(\.bytes)
                || files[option.name] != other.files[option.name]
        }

        mutating func take(_ option: Option, from other: Values) {
            arguments.replace(option, by: other.arguments.allGiven(option))
            files[option.name] = other.files[option.name]
        }
    }
}
