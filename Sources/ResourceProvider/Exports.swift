// Signatures name these: who imports this module has imported them with it.
@_exported public import class CalotypeConcurrency.BlockingPool
@_exported public import class CalotypeConcurrency.DynamicPriority
@_exported public import struct CalotypeConcurrency.ErrorCode
@_exported public import protocol CalotypeConcurrency.InterruptibleFailure
@_exported public import struct CalotypeConcurrency.Interruption
@_exported public import struct CalotypeConcurrency.LoadPriority
@_exported public import struct CalotypeConcurrency.QueueOrder
@_exported public import struct CalotypeConcurrency.WallClock
