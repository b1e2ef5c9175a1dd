#pragma once
#if !__has_include(<gtk/gtk.h>)
#error "Calotype needs GTK 4, which is missing: sudo apt-get install libgtk-4-dev"
#endif
#include <glib-unix.h>
#include <gtk/gtk.h>

// Swift can neither call variadic C functions nor import macros that cast.

// libdispatch's entry points for a foreign main loop. On Linux no header declares them.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static inline gpointer calotype_object_new(void) { return g_object_new(G_TYPE_OBJECT, NULL); }

/// Sets the name of a widget for assistive technologies, or removes it if `label` is NULL.
static inline void calotype_set_accessible_label(GtkWidget *widget, const char *label) {
    if (label == NULL) return gtk_accessible_reset_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/// Creates a vertical box with a role for assistive technologies, which cannot change later.
static inline GtkWidget *calotype_box_new(GtkAccessibleRole role) {
    return g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "accessible-role", role, NULL);
}

/// Creates a picture that is hidden from assistive technologies, because its parent widget has the accessible name.
static inline GtkWidget *calotype_silent_picture_new(void) {
    return g_object_new(GTK_TYPE_PICTURE, "accessible-role", GTK_ACCESSIBLE_ROLE_NONE, NULL);
}

/// Marks the child that has the keyboard focus, for assistive technologies.
static inline void calotype_set_active_descendant(GtkWidget *widget, GtkWidget *child) {
    gtk_accessible_update_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT, child, -1);
}

static inline gboolean calotype_unref_later(gpointer object) {
    g_object_unref(object);
    return G_SOURCE_REMOVE;
}

/// Releases an object on the main thread: at once if this is the main thread, otherwise later.
static inline void calotype_unref_on_main(gpointer object) {
    if (g_main_context_is_owner(g_main_context_default())) {
        g_object_unref(object);
    } else {
        g_idle_add_full(G_PRIORITY_DEFAULT, calotype_unref_later, object, NULL);
    }
}

// A paintable that Cairo draws directly from pixels, without a texture.

typedef struct {
    GObject parent;
    cairo_surface_t *surface;
    int width;
    int height;
} CalotypePixels;

static inline void calotype_pixels_snapshot(
    GdkPaintable *paintable, GdkSnapshot *snapshot, double width, double height) {
    CalotypePixels *pixels = (CalotypePixels *)paintable;
    graphene_rect_t bounds;
    graphene_rect_init(&bounds, 0, 0, width, height);
    cairo_t *cairo = gtk_snapshot_append_cairo(GTK_SNAPSHOT(snapshot), &bounds);
    if (width != pixels->width || height != pixels->height) {
        cairo_scale(cairo, width / pixels->width, height / pixels->height);
    }
    cairo_set_source_surface(cairo, pixels->surface, 0, 0);
    // Without this, the edges of a scaled image fade out.
    cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
    cairo_rectangle(cairo, 0, 0, pixels->width, pixels->height);
    cairo_fill(cairo);
    cairo_destroy(cairo);
}

static inline int calotype_pixels_width(GdkPaintable *paintable) { return ((CalotypePixels *)paintable)->width; }

static inline int calotype_pixels_height(GdkPaintable *paintable) { return ((CalotypePixels *)paintable)->height; }

static inline GdkPaintableFlags calotype_pixels_flags(GdkPaintable *paintable) {
    return GDK_PAINTABLE_STATIC_SIZE | GDK_PAINTABLE_STATIC_CONTENTS;
}

static inline void calotype_pixels_finalize(GObject *object) {
    cairo_surface_destroy(((CalotypePixels *)object)->surface);
    ((GObjectClass *)g_type_class_peek(G_TYPE_OBJECT))->finalize(object);
}

static inline void calotype_pixels_class_init(gpointer class, gpointer data) {
    ((GObjectClass *)class)->finalize = calotype_pixels_finalize;
}

static inline void calotype_pixels_paintable_init(gpointer interface, gpointer data) {
    GdkPaintableInterface *paintable = interface;
    paintable->snapshot = calotype_pixels_snapshot;
    paintable->get_intrinsic_width = calotype_pixels_width;
    paintable->get_intrinsic_height = calotype_pixels_height;
    paintable->get_flags = calotype_pixels_flags;
}

/// Returns an empty GValue. In Swift, the initializer of GValue belongs to the module that imports GLib first: with the
/// trait SVG, that may be CRsvg.
static inline GValue calotype_value(void) { return (GValue)G_VALUE_INIT; }

/// Returns a field of GSList. In Swift, the field belongs to the module that imports GLib first, like GValue's
/// initializer.
static inline gpointer calotype_list_data(const GSList *list) { return list->data; }
static inline GSList *calotype_list_next(const GSList *list) { return list->next; }

/// Returns whether the desktop's settings enable animations. The default is true.
static inline gboolean calotype_allows_animations(void) {
    GtkSettings *settings = gtk_settings_get_default();
    gboolean allowed = TRUE;
    if (settings != NULL) g_object_get(settings, "gtk-enable-animations", &allowed, NULL);
    return allowed;
}

/// Overrides the desktop's animation setting for this program.
static inline void calotype_set_animations(gboolean enabled) {
    g_object_set(gtk_settings_get_default(), "gtk-enable-animations", enabled, NULL);
}

static inline GType calotype_pixels_type(void) {
    GType type = g_type_from_name("CalotypePixels");
    if (type != 0) return type;
    const GInterfaceInfo paintable = {calotype_pixels_paintable_init, NULL, NULL};
    type = g_type_register_static_simple(
        G_TYPE_OBJECT, "CalotypePixels", sizeof(GObjectClass), calotype_pixels_class_init, sizeof(CalotypePixels), NULL,
        0);
    g_type_add_interface_static(type, GDK_TYPE_PAINTABLE, &paintable);
    return type;
}

/// Creates a GdkPaintable over `bytes`, which must stay unchanged until it calls `release` with `owner`.
///
/// Returns NULL without calling `release` if a side exceeds Cairo's limit of 32,767 pixels.
static inline gpointer calotype_pixels_new(
    void *bytes, int width, int height, int stride, gboolean has_alpha, void *owner, void (*release)(void *owner)) {
    static const cairo_user_data_key_t key;
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        bytes, has_alpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, width, height, stride);
    if (cairo_surface_set_user_data(surface, &key, owner, release) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(surface);
        return NULL;
    }
    CalotypePixels *pixels = g_object_new(calotype_pixels_type(), NULL);
    pixels->surface = surface;
    pixels->width = width;
    pixels->height = height;
    return pixels;
}
