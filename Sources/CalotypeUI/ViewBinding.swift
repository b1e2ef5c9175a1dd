import Calotype
import CalotypeCodecs

/// A state machine that lets a view show only the image of its latest request, in whatever order results arrive.
///
/// It has no clock, task or view. Each event returns an action, which the owner of the binding performs. Every request
/// gets a ticket, and results with an outdated ticket are ignored.
struct ViewBinding: Sendable {
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// The actions to perform, in any order except that the load starts last.
    struct Action: Hashable, Sendable {
        /// The load to stop: dequeue it if it has not started, otherwise cancel it.
        var ends: Ticket?
        /// The load to start: at once or, while a list scrolls, when it stops.
        var starts: Ticket?
        /// `true` if the load regains its request's priority, `false` if it gets the lowest; `nil` for no change.
        var isUrgent: Bool?
        /// Whether the state has changed and has to be shown.
        var shows = false
    }

    private enum Phase {
        /// There is no request.
        case empty
        /// The view is off screen, so its load has not been requested.
        case paused
        /// The load has been requested but has not begun.
        case asked
        case running
        case shown
        case failed
    }

    private(set) var state = RemoteImageState.loading()
    var ticket: Ticket? { phase == .empty ? nil : Ticket(number: number) }

    var isRunning: Bool { phase == .running }
    var isShown: Bool { phase == .shown }
    var hasFailed: Bool { phase == .failed }
    private(set) var isOnScreen: Bool

    private let disappearance: RemoteImageOptions.Disappearance
    private var phase = Phase.empty
    private var number: UInt64 = 0

    /// - Parameter isOnScreen: Whether the view is on screen initially. Off screen, nothing starts.
    init(isOnScreen: Bool = true, disappearance: RemoteImageOptions.Disappearance = .cancels) {
        self.isOnScreen = isOnScreen
        self.disappearance = disappearance
    }
}

// MARK: Requests of the owner

extension ViewBinding {
    /// Sets a new request. An image from memory is shown at once, even if the view is off screen.
    mutating func set(inMemory image: LoadedImage?, preview: LoadedImage? = nil) -> Action {
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

    /// Clears the request, for example before a list reuses the row.
    ///
    /// - Parameter kept: The image to keep for the next request, or `nil` (the default) to show no image.
    mutating func clear(keeping kept: LoadedImage? = nil) -> Action {
        var action = Action(ends: unfinished)
        number += 1
        phase = .empty
        action.shows = show(.loading(preview: kept))
        return action
    }

    mutating func retry() -> Action {
        guard phase == .failed else { return Action() }
        number += 1
        phase = .paused
        let shows = show(.loading())
        return Action(starts: ask(), shows: shows)
    }

    /// Records that the view is on screen. Retries a failed load.
    mutating func appear() -> Action {
        guard !isOnScreen else { return Action() }
        isOnScreen = true
        switch phase {
        case .paused: return Action(starts: ask())
        case .running: return Action(isUrgent: true)
        case .failed: return retry()
        case .empty, .asked, .shown: return Action()
        }
    }

    mutating func disappear() -> Action {
        guard isOnScreen else { return Action() }
        isOnScreen = false
        if phase == .running, disappearance == .lowersPriority { return Action(isUrgent: false) }
        guard let ended = unfinished else { return Action() }
        // The new number makes results of this load outdated. The view loads again when it returns.
        number += 1
        phase = .paused
        return Action(ends: ended, shows: show(.loading(preview: preview?.cached)))
    }
}

// MARK: Events of the load

extension ViewBinding {
    /// Marks a waiting load as running. Returns `false` if the view no longer needs this load.
    mutating func begin(_ ticket: Ticket) -> Bool {
        guard ticket.number == number, phase == .asked else { return false }
        phase = .running
        return true
    }

    mutating func receive(_ progress: LoadProgress, for ticket: Ticket) -> Action {
        guard ticket.number == number, phase == .running else { return Action() }
        return Action(shows: show(.loading(progress: progress, preview: preview)))
    }

    mutating func receive(_ new: LoadedImage, for ticket: Ticket) -> Action {
        guard ticket.number == number, phase == .running, case .loading(let progress, _) = state else {
            return Action()
        }
        return Action(shows: show(.loading(progress: progress, preview: new)))
    }

    mutating func finish(_ ticket: Ticket, _ result: Result<LoadedImage, ImageError>) -> Action {
        guard ticket.number == number, phase == .running else { return Action() }
        switch result {
        case .success(let image):
            phase = .shown
            // The origin has confirmed the visible image: showing the same bitmap again needs no transition.
            let wasShown = preview?.bitmap.isIdentical(to: image.bitmap) == true
            return Action(shows: show(.image(wasShown ? image.cached : image)))
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
