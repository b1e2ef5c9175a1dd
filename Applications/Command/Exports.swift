// What every file of the command uses.
@_exported public import CalotypeConsole

/// Foundation has another one.
typealias Stream = CalotypeConsole.Stream
