import Calotype
import CalotypeCodecs
import CalotypeTesting
@testable import CalotypeUI

/// A view with events in an order that a seed decides, including late results of old loads.
struct RandomSchedule {
    private struct Load {
        let ticket: ViewBinding.Ticket
        /// The number of the request that the load is for.
        let request: Int
        var hasBegun = false
    }

    private var random: SplitMix
    private var binding: ViewBinding
    private let images: [LoadedImage]
    private var isOnScreen = true
    /// Every load ever started, even those that have ended: they may answer late.
    private var loads: [Load] = []
    private var wanted: Int?
    /// The first problem found, or `nil`.
    private(set) var complaint: String?

    init(seed: UInt64, images: [LoadedImage]) {
        random = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        binding = ViewBinding(disappearance: seed % 2 == 0 ? .cancels : .lowersPriority)
        self.images = images
    }

    /// Performs `steps` random events, then all outstanding ones, and checks the view after each.
    mutating func run(steps: Int) {
        for _ in 0..<steps where complaint == nil {
            happen()
            check()
        }
        settle()
    }

    private mutating func happen() {
        switch random.number(below: 10) {
        case 0, 1: set()
        case 2: did(binding.clear(), wanting: nil)
        case 3:
            isOnScreen = false
            did(binding.disappear())
        case 4:
            isOnScreen = true
            did(binding.appear())
        case 5: did(binding.retry())
        case 6: begin(random.number(below: max(loads.count, 1)))
        case 7: progress(random.number(below: max(loads.count, 1)))
        default: finish(random.number(below: max(loads.count, 1)), fails: random.number(below: 4) == 0)
        }
    }

    private mutating func set() {
        let request = random.number(below: images.count)
        let isInMemory = random.number(below: 4) == 0
        let preview = random.number(below: 4) == 0 ? images[request] : nil
        did(binding.set(inMemory: isInMemory ? images[request] : nil, preview: preview), wanting: request)
    }

    private mutating func did(_ action: ViewBinding.Action, wanting request: Int?) {
        wanted = request
        did(action)
    }

    private mutating func did(_ action: ViewBinding.Action) {
        guard let ticket = action.starts else { return }
        guard let wanted else { return complain("something starts for a view without a request") }
        if !isOnScreen { complain("something starts off screen") }
        loads.append(Load(ticket: ticket, request: wanted))
    }

    private mutating func begin(_ index: Int) {
        guard loads.indices.contains(index), binding.begin(loads[index].ticket) else { return }
        if loads[index].hasBegun { complain("a load begins twice") }
        if loads[index].request != wanted { complain("a load begins for an earlier request") }
        loads[index].hasBegun = true
    }

    private mutating func progress(_ index: Int) {
        guard loads.indices.contains(index), loads[index].hasBegun else { return }
        did(binding.receive(LoadProgress(received: index, expected: nil), for: loads[index].ticket))
    }

    private mutating func finish(_ index: Int, fails: Bool) {
        guard loads.indices.contains(index), loads[index].hasBegun else { return }
        let load = loads[index]
        let failure = ImageError(.other, "request \(load.request)")
        did(binding.finish(load.ticket, fails ? .failure(failure) : .success(images[load.request])))
    }

    /// Starts and completes all loads in flight, the latest first.
    private mutating func settle() {
        isOnScreen = true
        did(binding.appear())
        for index in loads.indices.reversed() where complaint == nil {
            begin(index)
            finish(index, fails: false)
            check()
        }
        let isSettled = wanted == nil ? binding.state == .loading() : !binding.state.isLoading
        if !isSettled { complain("in the end the view shows \(binding.state) for \(String(describing: wanted))") }
    }

    /// Checks that only the latest request's image is visible, after any events.
    private mutating func check() {
        switch binding.state {
        case .image(let image), .loading(_, let image?):
            let isWanted = wanted.map { images[$0].bitmap.isIdentical(to: image.bitmap) } ?? false
            if !isWanted { complain("the picture of another request is shown") }
        case .error(let error):
            if wanted.map({ "request \($0)" }) != error.message { complain("the failure of another request is shown") }
        case .loading: break
        }
    }

    private mutating func complain(_ words: String) {
        if complaint == nil { complaint = words }
    }
}
