/// The viewer's commands, by keyboard or otherwise.
enum ViewerCommand: Hashable, Sendable, CaseIterable {
    case next, previous, first, last
    case zoomIn, zoomOut, fit, actualSize
    case details, copy, save, openWith
    case close
}
