import CalotypeConsole
import CalotypeDemoCommand

/// `calotype demo` as a program of its own, which builds without the server and the other commands.
@main
struct Main {
    static func main() async {
        await Program.run { words, context in
            do throws(UsageError) {
                let arguments = try ArgumentParser.parse(words[...], for: DemoCommand.syntax)
                guard !arguments.has(.help) else {
                    context.console.line(HelpText.of(DemoCommand.syntax, width: context.console.width))
                    return .success
                }
                return await (try DemoCommand(arguments, context)).run(context)
            } catch {
                context.console.complain(error.description)
                return .usage
            }
        }
    }
}
