import Calotype
import CalotypeCodecs
import Requirements
import Testing

@testable import CalotypeUI

@Suite struct ViewBindingTests {
    private let a: LoadedImage
    private let b: LoadedImage
    private let failure = ImageError(.connectionFailed, "nobody there")

    init() throws {
        a = LoadedImage(bitmap: try .plain(), origin: .network)
        b = LoadedImage(bitmap: try .plain(), origin: .network)
    }

    @Test(.requirement("S2.2")) func `a view starts out loading, and asks for nothing`() {
        let binding = ViewBinding()
        #expect(binding.state == .loading())
        #expect(binding.ticket == nil)
    }

    @Test(.requirement("S2.4", "B70")) func `what is in memory is the state at once, and starts nothing`() {
        var binding = ViewBinding()
        let action = binding.set(inMemory: a)
        #expect(binding.state == .image(a))
        #expect(action.starts == nil)
        #expect(action.shows)
    }

    @Test(.requirement("S2.3")) func `a new request ends the one before`() {
        var binding = ViewBinding()
        let first = binding.set(inMemory: nil).starts
        let action = binding.set(inMemory: nil)
        #expect(action.ends == first)
        #expect(action.starts == binding.ticket)
        #expect(action.starts != first)
    }

    @Test(.requirement("S4.17", "B69")) func `an image that arrives for an earlier request is not shown`() throws {
        var binding = ViewBinding()
        let first = try binding.start()
        let second = try binding.start()
        #expect(binding.finish(second, .success(b)).shows == true)
        #expect(binding.finish(first, .success(a)) == ViewBinding.Action())
        #expect(binding.state == .image(b))
    }

    @Test(.requirement("D4.6")) func `A arrives while B waits for the list to rest; B is shown, and A never`() throws {
        var binding = ViewBinding()
        let first = try binding.start()
        // Requested, and waiting: the original source confused the delayed start with A's.
        let second = try binding.ask()
        #expect(binding.finish(first, .success(a)) == ViewBinding.Action())
        #expect(binding.state == .loading())
        #expect(binding.begin(second) == true)
        _ = binding.finish(second, .success(b))
        #expect(binding.state == .image(b))
    }

    @Test(.requirement("S4.21")) func `a delayed start for an earlier request does nothing`() throws {
        var binding = ViewBinding()
        let first = try binding.ask()
        _ = binding.set(inMemory: b)
        #expect(binding.begin(first) == false)
        #expect(binding.state == .image(b))
    }

    @Test func `a start is done once`() throws {
        var binding = ViewBinding()
        let ticket = try binding.ask()
        #expect(binding.begin(ticket) == true)
        #expect(binding.begin(ticket) == false)
    }

    @Test(.requirement("S2.5")) func `a failure is the state, and retry starts anew`() throws {
        var binding = ViewBinding()
        let first = try binding.start()
        _ = binding.finish(first, .failure(failure))
        #expect(binding.state == .error(failure))
        let action = binding.retry()
        #expect(action.starts != nil && action.starts != first)
        #expect(action.ends == nil)
        #expect(binding.state == .loading())
    }

    @Test func `retry does nothing while loading and with an image`() throws {
        var binding = ViewBinding()
        #expect(binding.retry() == ViewBinding.Action())
        let ticket = try binding.start()
        #expect(binding.retry() == ViewBinding.Action())
        _ = binding.finish(ticket, .success(a))
        #expect(binding.retry() == ViewBinding.Action())
        #expect(binding.state == .image(a))
    }

    @Test func `progress keeps the preview, and comes to an end with the image`() throws {
        var binding = ViewBinding()
        let progress = LoadProgress(received: 5, expected: 10)
        let ticket = try binding.ask(preview: a)
        #expect(binding.state == .loading(preview: a))
        #expect(binding.begin(ticket) == true)
        #expect(binding.receive(progress, for: ticket).shows == true)
        #expect(binding.state == .loading(progress: progress, preview: a))
        #expect(binding.receive(progress, for: ticket).shows == false)
        _ = binding.finish(ticket, .success(b))
        #expect(binding.receive(progress, for: ticket) == ViewBinding.Action())
        #expect(binding.state == .image(b))
    }

    @Test(.requirement("B71")) func `off screen the load ends, and it starts anew when the view is back`() throws {
        var binding = ViewBinding()
        let first = try binding.start()
        #expect(binding.disappear().ends == first)
        #expect(binding.finish(first, .success(a)) == ViewBinding.Action())
        let second = try binding.comeBack()
        #expect(binding.begin(second) == true)
        _ = binding.finish(second, .success(a))
        #expect(binding.state == .image(a))
    }

    @Test(.requirement("B71")) func `or it goes on with a lower priority, which the view has back with it`() throws {
        var binding = ViewBinding(disappearance: .lowersPriority)
        let ticket = try binding.start()
        #expect(binding.disappear() == ViewBinding.Action(isUrgent: false))
        #expect(binding.appear() == ViewBinding.Action(isUrgent: true))
        #expect(binding.disappear() == ViewBinding.Action(isUrgent: false))
        #expect(binding.finish(ticket, .success(a)).shows == true)
        #expect(binding.state == .image(a))
    }

    @Test(.requirement("D4.7"), arguments: [RemoteImageOptions.Disappearance.cancels, .lowersPriority])
    func `what has not started when the view leaves is withdrawn`(
        of disappearance: RemoteImageOptions.Disappearance
    )
        throws
    {
        var binding = ViewBinding(disappearance: disappearance)
        let ticket = try binding.ask()
        #expect(binding.disappear().ends == ticket)
        #expect(binding.begin(ticket) == false)
    }

    @Test func `off screen nothing starts, but what is in memory is shown`() {
        var binding = ViewBinding(isOnScreen: false)
        #expect(binding.set(inMemory: nil).starts == nil)
        #expect(binding.set(inMemory: a).shows == true)
        #expect(binding.appear() == ViewBinding.Action())
    }

    @Test(.requirement("S4.23")) func `what failed is tried again when the view is back`() throws {
        var binding = ViewBinding()
        let ticket = try binding.start()
        _ = binding.finish(ticket, .failure(failure))
        #expect(binding.disappear() == ViewBinding.Action())
        #expect(binding.state == .error(failure))
        #expect(binding.appear().starts != nil)
    }

    @Test func `a cleared view shows nothing that arrives`() throws {
        var binding = ViewBinding()
        let ticket = try binding.start()
        #expect(binding.clear().ends == ticket)
        #expect(binding.finish(ticket, .success(a)) == ViewBinding.Action())
        #expect(binding.state == .loading())
        #expect(binding.ticket == nil)
    }
}

// `#require` accepts no mutating call.
extension ViewBinding {
    /// Requests an image that is not in memory.
    mutating func ask(preview: LoadedImage? = nil) throws -> Ticket {
        let ticket = set(inMemory: nil, preview: preview).starts
        return try #require(ticket)
    }

    /// Requests such an image, and starts at once.
    mutating func start() throws -> Ticket {
        let ticket = try ask()
        let isWanted = begin(ticket)
        #expect(isWanted)
        return ticket
    }

    mutating func comeBack() throws -> Ticket {
        let ticket = appear().starts
        return try #require(ticket)
    }
}
