import CSQLite
package import CalotypeBase
package import Foundation

/// A value for a placeholder in a statement.
package enum SQLiteValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(ByteString)
    case blob(Data)

    package static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
    /// Returns the bits of a hash or a checksum as a signed integer, because SQLite has no unsigned ones.
    package static func bits(_ value: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: value)) }
    static func real(_ value: Double?) -> SQLiteValue { value.map { .real($0) } ?? .null }
}

final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    /// The database in messages.
    private let name: String

    init(_ sql: String, on database: OpaquePointer, named name: String) throws(StoreError) {
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard status == SQLITE_OK, let prepared else {
            throw StoreError(status: status, of: database, doing: "preparing a statement")
        }
        handle = prepared
        (self.database, self.name) = (database, name)
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement to completion, and calls `body` with each row, which is valid only during that call.
    func forEachRow(_ values: [SQLiteValue], _ body: (SQLiteRow) -> Void) throws(StoreError) {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: body(SQLiteRow(statement: handle))
            case SQLITE_DONE: return
            case let status: throw StoreError(status: status, of: database, doing: "using \(name)")
            }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) throws(StoreError) {
        let status =
            switch value {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
            case .real(let real): sqlite3_bind_double(handle, index, real)
            case .text(let text):
                text.withBytes { bytes in
                    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                    return calotype_bind_text(handle, index, start, UInt64(bytes.count))
                }
            case .blob(let data):
                data.withUnsafeBytes { calotype_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
            }
        guard status == SQLITE_OK else { throw StoreError(status: status, of: database, doing: "using \(name)") }
    }
}

package struct SQLiteRow {
    fileprivate let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    /// A size or a count. A damaged database may have any: beyond 2⁵⁶ either way, which can be added and multiplied by a
    /// hundred, it becomes that.
    func int(_ column: Int32) -> Int { Int(clamping: min(max(integer(column), -1 << 56), 1 << 56)) }
    package func bits(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }
    package func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }

    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(statement, column)
        return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func data(_ column: Int32) -> Data { withBytes(column) { Data($0) } }
    package func text(_ column: Int32) -> ByteString { withBytes(column) { ByteString(bytes: $0) } }
}
