// Keys and fields consist of these: who imports this module to use them has imported these with it.
@_exported public import struct ResourceProvider.ByteString
@_exported public import struct ResourceProvider.CaselessString
