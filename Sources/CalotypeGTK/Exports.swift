// `import CalotypeGTK` is enough, also for GTK's own functions.

@_exported public import CalotypeUI

#if GTK
    @_exported public import CGTK4
#endif
