#pragma once
#if !__has_include(<libadwaita-1/adwaita.h>)
#error "Calotype's gallery needs libadwaita, which is missing: sudo apt-get install libadwaita-1-dev"
#endif
// Include CGTK4 first, so that GTK's declarations belong only to that module.
#include "../CGTK4/shim.h"
// Found without pkg-config, which SwiftPM would ask in every package that depends on this one. GTK's own flags find the rest.
#include <libadwaita-1/adwaita.h>

// Swift can neither call C's variadic functions nor read macros that cast.

/// Sets one or two shortcuts of an action of the application. `second` may be NULL.
static inline void calotype_set_shortcut(
    GtkApplication *application, const char *action, const char *first, const char *second) {
    const char *keys[] = {first, second, NULL};
    gtk_application_set_accels_for_action(application, action, keys);
}

/// Emits `drop` of a drop target, as the windowing system does.
static inline gboolean calotype_emit_drop(GtkDropTarget *target, const GValue *value) {
    gboolean isAccepted = FALSE;
    g_signal_emit_by_name(target, "drop", value, 0.0, 0.0, &isAccepted);
    return isAccepted;
}

static inline GType calotype_type_string(void) { return G_TYPE_STRING; }

static inline GType calotype_type_file_list(void) { return GDK_TYPE_FILE_LIST; }

/// Returns the files of a dropped value, or NULL if it contains no files. They belong to the value.
static inline GSList *calotype_dropped_files(const GValue *value) {
    return G_VALUE_HOLDS(value, GDK_TYPE_FILE_LIST) ? g_value_get_boxed(value) : NULL;
}

static inline const char *calotype_dropped_text(const GValue *value) {
    return G_VALUE_HOLDS_STRING(value) ? g_value_get_string(value) : NULL;
}

/// Synchronizes a toggle button with a search bar.
static inline void calotype_bind_search(GtkWidget *button, GtkWidget *bar) {
    g_object_bind_property(
        button, "active", bar, "search-mode-enabled", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}
