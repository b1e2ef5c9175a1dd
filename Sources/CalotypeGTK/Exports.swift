// `import CalotypeGTK` is enough, for GTK's own functions too.

@_exported public import CalotypeUI

#if GTK
    @_exported public import CGTK4
#endif
