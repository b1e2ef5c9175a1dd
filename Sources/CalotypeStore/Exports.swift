// Keys are of this type: who imports this module to name an entry has imported it with it.
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.ErrorCode
