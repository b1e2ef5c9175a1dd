// Requests, responses, fields and keys: users of this module need no second import for them.
@_exported public import CalotypeHTTP
@_exported public import struct CalotypeBase.WallClock
