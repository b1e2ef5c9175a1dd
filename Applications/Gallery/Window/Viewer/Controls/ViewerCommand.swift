/// The things that a person can do in the viewer, by the keyboard or otherwise.
enum ViewerCommand: Hashable, Sendable, CaseIterable {
    case next, previous, first, last
    case zoomIn, zoomOut, fit, actualSize
    case details, copy, save, openWith
    case close
}
