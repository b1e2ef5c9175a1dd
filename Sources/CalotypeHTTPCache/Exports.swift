// Keys and fields consist of these types: callers of this module need them without a second import.
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.CaselessString
