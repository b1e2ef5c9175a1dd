// Public signatures use these types: importing this module imports them, too.
@_exported public import class CalotypeBase.BlockingPool
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.CaselessString
@_exported public import class CalotypeBase.DynamicPriority
@_exported public import struct CalotypeBase.ErrorCode
@_exported public import protocol CalotypeBase.InterruptibleFailure
@_exported public import struct CalotypeBase.Interruption
@_exported public import struct CalotypeBase.LoadPriority
@_exported public import struct CalotypeBase.QueueOrder
@_exported public import struct CalotypeBase.WallClock
