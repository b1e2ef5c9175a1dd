#pragma once
#if !__has_include(<sqlite3.h>)
#error "Calotype needs SQLite, which is missing: sudo apt-get install libsqlite3-dev"
#endif
#include <sqlite3.h>

// SQLITE_TRANSIENT makes SQLite copy the value. It casts -1 to a function pointer, which Swift cannot import.
static inline int calotype_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int calotype_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Returns whether the open file has been deleted, or another file has replaced it at its path.
static inline int calotype_has_moved(sqlite3 *database) {
    int moved = 0;
    int status = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return status == SQLITE_OK && moved != 0;
}
