/// A command of `calotype`. Its initializer validates the arguments, so a value stands for a valid command line.
package protocol Command: Sendable {
    static var syntax: CommandSyntax { get }

    init(_ arguments: Arguments, _ context: Context) throws(UsageError)

    /// Runs the command and reports failures on the console. Ctrl-C cancels the task.
    func run(_ context: Context) async -> ExitStatus
}
