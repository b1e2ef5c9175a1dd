// The types of keys and fields: users of this module need no second import for them.
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.CaselessString
