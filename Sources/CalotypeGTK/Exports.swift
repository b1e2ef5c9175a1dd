// `import CalotypeGTK` suffices, even to call GTK's own functions.

@_exported public import CalotypeUI

#if GTK
    @_exported public import CGTK4
#endif
