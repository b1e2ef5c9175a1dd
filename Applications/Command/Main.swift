@main
struct Main {
    static func main() async {
        await Program.run { words, context in await Dispatcher(context: context).run(words) }
    }
}
