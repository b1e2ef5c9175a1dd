/// An identifier that runs code when its last copy is released.
struct ChattyID: Hashable {
    private final class Death {
        let action: () -> Void
        init(_ action: @escaping () -> Void) { self.action = action }
        deinit { action() }
    }

    let number: Int
    private let death: Death

    init(_ number: Int, atDeath action: @escaping () -> Void) {
        self.number = number
        death = Death(action)
    }

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
