package import Calotype
import CalotypeCodecs

/// The rule of identity: a view shows only the image of its latest request, whatever arrives when.
///
/// A pure state machine: no clock, no task, no view. Each event answers with what is to be done, and whoever holds the
/// binding does it. Every request gets a ticket; what arrives with another ticket than the latest is not looked at.
package struct ViewBinding: Sendable {
    /// Stands for one request of this view.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// The actions to perform, in this order.
    package struct Action: Hashable, Sendable {
        /// Nobody waits for this any more: withdraw it where it has not started, cancel it where it has.
        package var ends: Ticket?
        /// Start this, now or when the list rests.
        package var starts: Ticket?
        /// The view came on screen or left it while its load was under way: this is its urgency from now on.
        package var isUrgent: Bool?
        /// The state is another than before: show it.
        package var shows = false
    }

    private enum Phase {
        /// No request.
        case empty
        /// Off screen, nothing asked for.
        case paused
        /// Asked for, perhaps not started.
        case asked
        /// Running.
        case running
        /// The image is there.
        case shown
        case failed
    }

    /// The state to show.
    package private(set) var state = RemoteImageState.loading()
    /// The latest request; nil where there is none.
    package var ticket: Ticket? { phase == .empty ? nil : Ticket(number: number) }

    /// A Boolean value indicating whether the load of the latest request has begun and not ended.
    var isRunning: Bool { phase == .running }
    var isShown: Bool { phase == .shown }
    var hasFailed: Bool { phase == .failed }
    private(set) var isOnScreen: Bool

    private let disappearance: RemoteImageOptions.Disappearance
    private var phase = Phase.empty
    private var number: UInt64 = 0

    /// - Parameter isOnScreen: whether the view is there from the beginning. Off screen, nothing starts.
    package init(isOnScreen: Bool = true, disappearance: RemoteImageOptions.Disappearance = .cancels) {
        self.isOnScreen = isOnScreen
        self.disappearance = disappearance
    }
}

// MARK: What the owner asks for

extension ViewBinding {
    /// A new request. What is in memory is shown at once, on screen or off.
    package mutating func set(inMemory image: LoadedImage?, preview: LoadedImage? = nil) -> Action {
        var action = Action(ends: unfinished)
        number += 1
        if let image {
            phase = .shown
            action.shows = show(.image(image))
        } else {
            phase = .paused
            action.shows = show(.loading(preview: preview))
            action.starts = ask()
        }
        return action
    }

    /// No request any more: the row goes back to the pool.
    package mutating func clear() -> Action {
        var action = Action(ends: unfinished)
        number += 1
        phase = .empty
        action.shows = show(.loading())
        return action
    }

    /// Asks again after an error.
    package mutating func retry() -> Action {
        guard phase == .failed else { return Action() }
        number += 1
        phase = .paused
        let shows = show(.loading())
        return Action(starts: ask(), shows: shows)
    }

    /// The view is on screen. What failed is tried again.
    package mutating func appear() -> Action {
        guard !isOnScreen else { return Action() }
        isOnScreen = true
        switch phase {
        case .paused: return Action(starts: ask())
        case .running: return Action(isUrgent: true)
        case .failed: return retry()
        case .empty, .asked, .shown: return Action()
        }
    }

    /// The view is not on screen.
    package mutating func disappear() -> Action {
        guard isOnScreen else { return Action() }
        isOnScreen = false
        if phase == .running, disappearance == .lowersPriority { return Action(isUrgent: false) }
        guard let ended = unfinished else { return Action() }
        // What still arrives for it comes too late, and the view asks anew when it is back.
        number += 1
        phase = .paused
        return Action(ends: ended, shows: show(.loading(preview: preview?.atHand)))
    }
}

// MARK: What comes from the load

extension ViewBinding {
    /// Returns whether a load that waited is wanted still. From now on it counts as running.
    package mutating func begin(_ ticket: Ticket) -> Bool {
        guard ticket.number == number, phase == .asked else { return false }
        phase = .running
        return true
    }

    package mutating func receive(_ progress: LoadProgress, for ticket: Ticket) -> Action {
        guard ticket.number == number, phase == .running else { return Action() }
        return Action(shows: show(.loading(progress: progress, preview: preview)))
    }

    /// A part of the image has come, in the place of what was shown until now.
    package mutating func receive(_ new: LoadedImage, for ticket: Ticket) -> Action {
        guard ticket.number == number, phase == .running, case .loading(let progress, _) = state else {
            return Action()
        }
        return Action(shows: show(.loading(progress: progress, preview: new)))
    }

    /// The load has ended.
    package mutating func finish(_ ticket: Ticket, _ result: Result<LoadedImage, ImageError>) -> Action {
        guard ticket.number == number, phase == .running else { return Action() }
        switch result {
        case .success(let image):
            phase = .shown
            // The very image that was shown meanwhile: its origin has confirmed it, and nothing changes its look.
            let wasShown = preview?.bitmap.isIdentical(to: image.bitmap) == true
            let shown = wasShown ? LoadedImage(bitmap: image.bitmap, origin: image.origin, wasAtHand: true) : image
            return Action(shows: show(.image(shown)))
        case .failure(let error):
            phase = .failed
            return Action(shows: show(.error(error)))
        }
    }
}

extension ViewBinding {
    private var unfinished: Ticket? {
        phase == .asked || phase == .running ? Ticket(number: number) : nil
    }

    private var preview: LoadedImage? {
        if case .loading(_, let preview) = state { preview } else { nil }
    }

    private mutating func ask() -> Ticket? {
        guard isOnScreen else { return nil }
        phase = .asked
        return Ticket(number: number)
    }

    private mutating func show(_ new: RemoteImageState) -> Bool {
        guard new != state else { return false }
        state = new
        return true
    }
}
