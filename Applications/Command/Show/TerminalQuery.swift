import Foundation

/// A query for the graphics protocols that the terminal supports.
enum TerminalQuery {
    /// A kitty image that the terminal checks but does not display, then a request for the device attributes, which
    /// every terminal answers. A terminal without kitty's protocol answers only the second part.
    static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

    /// Returns the terminal's answer; `nil` if the process cannot ask a terminal, as in a background job, or if no full
    /// answer arrives within `limit`, 2 seconds by default.
    static func ask(within limit: Duration = .seconds(2)) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        // The system would stop a background job that reads from the terminal.
        guard tcgetpgrp(terminal) == getpgrp() else { return nil }
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return nil }
        var quiet = settings
        quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(terminal, TCSANOW, &quiet) == 0 else { return nil }
        defer { tcsetattr(terminal, TCSANOW, &settings) }
        guard (try? Stream(descriptor: terminal).write(question)) != nil else { return nil }
        return answer(from: terminal, within: limit)
    }

    private static func answer(from terminal: Int32, within limit: Duration) -> String? {
        let end = ContinuousClock.now + limit
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 1024, ContinuousClock.now < end, !Task.isCancelled {
            var source = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard poll(&source, 1, 50) > 0 else { continue }
            guard read(terminal, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
            if byte == UInt8(ascii: "c"), let text = String(bytes: bytes, encoding: .utf8), text.contains("\u{1B}[?") {
                return text
            }
        }
        return nil
    }
}
