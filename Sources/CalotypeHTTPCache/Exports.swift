// Keys and fields consist of these: who imports this module to use them has imported these with it.
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.CaselessString
