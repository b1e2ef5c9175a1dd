import CalotypeTesting
import TestSupport
import Foundation
import Glibc

/// A client that sends bytes, and reads the answer in its own way.
package struct ClientScript: Sendable {
    package var request: String
    package var isHead = false
    /// The most bytes that the client reads in one turn.
    package var pace = 64 << 10
    /// The number of bytes after which the client leaves, with a reset. `nil`: it stays until the answer is whole.
    package var leavesAfter: Int?
    /// Whether the request is incomplete, so that the client waits until the server closes the connection.
    package var isSilent = false

    package init(_ request: String) { self.request = request }
}

/// Many clients of a server on one thread. In each turn, each of them reads as much as it is meant to.
package final class ClientCrowd {
    package enum Ending: Sendable {
        case whole(ReceivedAnswer)
        /// The server closed the connection before the answer was whole.
        case cut(ReceivedAnswer)
        case left
    }

    package struct Stalled: Error, CustomStringConvertible {
        package let description: String
    }

    private final class Member {
        let socket: Int32
        let script: ClientScript
        let onEnd: (Ending) -> Void
        var answer = ReceivedAnswer()
        var lastNews = ContinuousClock.now

        init(_ socket: Int32, _ script: ClientScript, _ onEnd: @escaping (Ending) -> Void) {
            (self.socket, self.script, self.onEnd) = (socket, script, onEnd)
        }

        deinit { close(socket) }
    }

    /// The time without a byte after which a request counts as forgotten.
    private static let patience = Duration.seconds(60)

    private let port: Int
    private var members: [Member] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    package init(port: Int) { self.port = port }

    /// The number of clients that wait for an answer.
    package var waiting: Int { members.count { !$0.script.isSilent } }

    package func start(_ script: ClientScript, onEnd: @escaping (Ending) -> Void = { _ in }) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let member = Member(descriptor, script, onEnd)
        guard connects(descriptor, to: UInt16(port)) else { throw Stalled(description: "no connection: \(errno)") }
        // It fits into the empty buffer of its socket. The server may have closed the connection already.
        _ = script.request.utf8.withContiguousStorageIfAvailable {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        members.append(member)
    }

    /// Has clients read until no more than `count` wait for an answer.
    ///
    /// - Throws: ``Stalled`` with the request that has waited too long.
    package func run(until count: Int) throws {
        while waiting > count {
            try turn()
            let now = ContinuousClock.now
            if let late = members.first(where: { !$0.script.isSilent && now - $0.lastNews > Self.patience }) {
                throw Stalled(description: "nothing arrived for \(Self.patience): \(late.script.request)")
            }
        }
    }

    /// Has the clients leave that have sent a part of a request.
    package func dismissSilent() { members.removeAll(where: \.script.isSilent) }

    private func turn() throws {
        var polls = members.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
        guard poll(&polls, nfds_t(polls.count), 1000) > 0 else { return }
        var ended: [(Member, Ending)] = []
        var rest: [Member] = []
        for (member, poll) in zip(members, polls) {
            if poll.revents != 0, let ending = read(member) {
                ended.append((member, ending))
            } else {
                rest.append(member)
            }
        }
        members = rest
        for (member, ending) in ended { member.onEnd(ending) }
    }

    /// Reads once. Returns the ending, or `nil` if the client goes on.
    private func read(_ member: Member) -> Ending? {
        let script = member.script
        let wanted = min(script.pace, script.leavesAfter.map { max($0 - member.answer.bytes.count, 1) } ?? .max)
        let count = recv(member.socket, &buffer, min(wanted, buffer.count), Int32(MSG_DONTWAIT))
        guard count > 0 else { return count < 0 && errno == EAGAIN ? nil : .cut(member.answer) }
        member.answer.add(buffer[..<count])
        member.lastNews = .now
        if let limit = script.leavesAfter, member.answer.bytes.count >= limit {
            // With a reset, as from a program that is killed.
            var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
            setsockopt(member.socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            return .left
        }
        return member.answer.isWhole(isHead: script.isHead) ? .whole(member.answer) : nil
    }
}
