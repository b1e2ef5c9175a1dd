import CalotypeBase

enum LoadError: InterruptibleFailure, Equatable {
    case cancelled, timedOut, overloaded
    case broken
    case refused(Int)
}
