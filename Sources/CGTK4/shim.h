#pragma once
#include <glib-unix.h>
#include <gtk/gtk.h>

// Swift can neither call C's variadic functions nor read macros that cast.

// libdispatch's own entry points for a foreign main loop, of which no header tells on Linux.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static inline gpointer calotype_object_new(void) { return g_object_new(G_TYPE_OBJECT, NULL); }

static inline void calotype_set_accessible_label(GtkWidget *widget, const char *label) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/// An action that takes a position.
static inline gboolean calotype_activate_action(GtkWidget *widget, const char *name, guint position) {
    return gtk_widget_activate_action(widget, name, "u", position);
}

static inline gboolean calotype_unref_later(gpointer object) {
    g_object_unref(object);
    return G_SOURCE_REMOVE;
}

/// Lets go of an object that may be used by the main thread alone: there, at once or on its next turn.
static inline void calotype_unref_on_main(gpointer object) {
    if (g_main_context_is_owner(g_main_context_default())) {
        g_object_unref(object);
    } else {
        g_idle_add_full(G_PRIORITY_DEFAULT, calotype_unref_later, object, NULL);
    }
}
