/// The lines of a service on standard error.
///
/// No thread of the service waits for the reader: beyond the limit of ``LineWriter``, lines are lost and counted.
struct ServiceMessages: Sendable {
    let console: Console
    let lines: LineWriter

    init(_ console: Console) {
        self.console = console
        lines = LineWriter { console.record($0) }
    }

    /// Writes an error, as ``Console/complain(_:)`` does.
    func complain(_ text: String) { lines.add(console.complaint(text)) }

    /// Writes a line that is not an error, as ``Console/note(_:)`` does.
    func note(_ text: String) { lines.add(Console.plain(text)) }
}
