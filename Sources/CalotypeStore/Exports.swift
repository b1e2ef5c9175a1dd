// Keys and error codes: callers of this module need them without a second import.
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.ErrorCode
