import Foundation

/// A question to the terminal, such as for the graphics protocols that it supports.
struct TerminalQuery: Sendable {
    /// Ends each question: every terminal answers this request for its device attributes, also one that ignores the
    /// rest of the question.
    private static let end = "\u{1B}[c"

    let text: String
    /// The time in which the terminal must have answered.
    let limit: Duration
    /// Whether the question is left out if the user has typed ahead: the keys would arrive between the answers.
    let yieldsToKeys: Bool

    private init(_ question: String, limit: Duration, yieldsToKeys: Bool = false) {
        text = question + TerminalQuery.end
        self.limit = limit
        self.yieldsToKeys = yieldsToKeys
    }

    /// A kitty image that the terminal checks but does not display, for ``GraphicsProtocol/init(answer:)``.
    static let graphics = TerminalQuery(
        "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", limit: .seconds(2))

    /// A request for the background color (OSC 11), for `ImageColor(answer:)`.
    static let background = TerminalQuery("\u{1B}]11;?\u{1B}\\", limit: .milliseconds(200), yieldsToKeys: true)

    /// Returns the terminal's answer; `nil` if the process cannot ask a terminal, as in a background job, or if no answer
    /// arrives in time.
    func ask() -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        // The system would stop a background job that reads from the terminal.
        guard tcgetpgrp(terminal) == getpgrp() else { return nil }
        return ask(terminal, clock: ContinuousClock())
    }

    /// Asks the terminal behind a descriptor. Restores its settings, and gives back the keys that the user has typed.
    func ask(_ terminal: Int32, clock: some Clock<Duration>) -> String? {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return nil }
        var quiet = settings
        quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(terminal, TCSANOW, &quiet) == 0 else { return nil }
        var input = TerminalInput()
        defer {
            tcsetattr(terminal, TCSANOW, &settings)
            TerminalQuery.giveBack(input.keys, to: terminal)
        }
        if yieldsToKeys, TerminalQuery.hasInput(terminal, within: 0) { return nil }
        let end = clock.now.advanced(by: limit)
        guard (try? Stream(descriptor: terminal).write(text)) != nil else { return nil }
        while !input.isWhole, input.count < 1024, !Task.isCancelled {
            let rest = clock.now.duration(to: end)
            guard rest > .zero else { break }
            let pause = Int32(min(rest / .milliseconds(1), 50).rounded(.up))
            guard TerminalQuery.hasInput(terminal, within: pause) else { continue }
            var byte: UInt8 = 0
            guard read(terminal, &byte, 1) == 1 else { break }
            input.take(byte)
        }
        return input.answers.isEmpty ? nil : input.text
    }

    /// - Parameter pause: The time to wait for input, in milliseconds.
    private static func hasInput(_ terminal: Int32, within pause: Int32) -> Bool {
        var source = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, pause) > 0
    }

    /// Puts keys back into the terminal's input, for the program that reads it next. Linux may refuse this from 6.2 on
    /// (`dev.tty.legacy_tiocsti`); the keys of these milliseconds are then lost.
    private static func giveBack(_ keys: [UInt8], to terminal: Int32) {
        for key in keys {
            var byte = CChar(bitPattern: key)
            guard ioctl(terminal, UInt(TIOCSTI), &byte) == 0 else { return }
        }
    }
}
