import CSandbox
import CalotypeBase
import Glibc

/// A child process of this one, by a descriptor where the kernel has them (Linux 5.3), otherwise by its number.
///
/// If the program ignores SIGCHLD, the kernel may give the number of a child that has ended to another process. A signal to
/// the number would reach that process; a signal to the descriptor fails.
package struct ChildHandle: Sendable {
    package let number: Int32
    private let reference: Reference

    private enum Reference {
        case descriptor(SharedDescriptor)
        case number
        /// The child ended before a descriptor could refer to it.
        case gone
    }

    /// How a child ended: by a signal, or with an exit status. Both are 0 if the kernel did not keep the status.
    package struct End: Hashable, Sendable {
        package var signal: Int32
        package var status: Int32

        package init(signal: Int32 = 0, status: Int32 = 0) { (self.signal, self.status) = (signal, status) }
    }

    /// - Parameter number: The number of a child that was just started.
    init(_ number: pid_t) {
        self.number = number
        if let descriptor = SharedDescriptor(calotype_process_descriptor(number)) {
            reference = calotype_is_child(descriptor.number, number) != 0 ? .descriptor(descriptor) : .gone
        } else {
            reference = errno == ESRCH ? .gone : .number
        }
    }

    /// Creates a handle whose number belongs to another process than its descriptor, for tests. Owns the descriptor.
    package init(number: Int32, descriptor: Int32) {
        self.number = number
        reference = SharedDescriptor(descriptor).map { .descriptor($0) } ?? .gone
    }

    /// Kills the child if it is still running, and waits until it has ended. Call it once.
    package func end() -> End {
        var end = End()
        switch reference {
        case .descriptor(let descriptor):
            descriptor.use { number in
                _ = calotype_kill(number)
                _ = calotype_wait(number, self.number, 0, &end.signal, &end.status)
            }
        case .number:
            kill(number, SIGKILL)
            _ = calotype_wait(-1, number, 0, &end.signal, &end.status)
        case .gone: break
        }
        return end
    }
}
