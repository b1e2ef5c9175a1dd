/// A command of the viewer, from a key, a button, a gesture or a menu.
enum ViewerCommand: Hashable, Sendable, CaseIterable {
    case next, previous, first, last
    case zoomIn, zoomOut, fit, actualSize
    case details, copy, save, openWith
    case close
}
