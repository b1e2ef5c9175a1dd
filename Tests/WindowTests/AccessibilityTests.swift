#if GTK
    import CAdwaita
    import Calotype
    import CalotypeTesting
    import Foundation
    import Testing

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    /// A screen reader's view over the accessibility bus, if `GTK_A11Y` enables it.
    @MainActor
    @Suite(
        .timeLimit(.minutes(2)), .enabled(if: ProcessInfo.processInfo.environment["GTK_A11Y"] == "atspi"),
        .serialized) struct AccessibilityTests
    {
        @Test func `tiles have the names of their images, and nothing hidden or nameless is read`() async throws {
            let stage = try GalleryStage()
            stage.window.open(try stage.folder(["Lighthouse.png", "Dunes.png"]))
            await stage.showsImages()
            let bus = try await AccessibilityBus()
            var nodes: [AccessibilityBus.Node] = []
            await stage.frames.frames { true }
            for _ in 0..<200 where !nodes.contains(where: { $0.name == "Lighthouse" }) {
                nodes = await bus.nodes()
                await stage.frames.nextFrame()
            }
            #expect(nodes.filter { $0.role == "list item" }.map(\.name).sorted() == ["Dunes", "Lighthouse"])
            #expect(!nodes.contains { $0.name.hasPrefix("GtkPicture") }, "\(nodes)")
            #expect(!nodes.contains { $0.name == GalleryTexts.offlineBar })
            stage.close()
        }
    }

    /// The accessibility bus, as a screen reader sees it.
    @MainActor
    private final class AccessibilityBus {
        struct Node: Hashable {
            let role: String
            let name: String
        }

        struct Failure: Error {}

        private let connection: OpaquePointer

        init() async throws {
            guard let session = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { throw Failure() }
            defer { g_object_unref(session.raw) }
            let answer = await AccessibilityBus.call(
                session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
            guard let answer, let address = AccessibilityBus.text(answer, 0) else { throw Failure() }
            g_variant_unref(answer)
            let flags =
                G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
            guard
                let connection = g_dbus_connection_new_for_address_sync(
                    address, GDBusConnectionFlags(rawValue: flags), nil, nil, nil)
            else { throw Failure() }
            self.connection = connection
        }

        /// Returns every object of every program on the bus that has a window.
        func nodes() async -> [Node] {
            var nodes: [Node] = []
            var open = [("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")]
            while let (program, path) = open.popLast() {
                let children = await children(program, path)
                open += children
                for (program, path) in children {
                    nodes.append(Node(role: await role(program, path), name: await name(program, path)))
                }
            }
            return nodes
        }

        private static let accessible = "org.a11y.atspi.Accessible"

        private func children(_ program: String, _ path: String) async -> [(String, String)] {
            guard let answer = await call(program, path, AccessibilityBus.accessible, "GetChildren") else { return [] }
            defer { g_variant_unref(answer) }
            guard let list = g_variant_get_child_value(answer, 0) else { return [] }
            defer { g_variant_unref(list) }
            return (0..<g_variant_n_children(list)).compactMap { index in
                guard let child = g_variant_get_child_value(list, index) else { return nil }
                defer { g_variant_unref(child) }
                guard let program = AccessibilityBus.text(child, 0), let path = AccessibilityBus.text(child, 1) else {
                    return nil
                }
                return (program, path)
            }
        }

        private func role(_ program: String, _ path: String) async -> String {
            guard let answer = await call(program, path, AccessibilityBus.accessible, "GetRoleName") else { return "" }
            defer { g_variant_unref(answer) }
            return AccessibilityBus.text(answer, 0) ?? ""
        }

        private func name(_ program: String, _ path: String) async -> String {
            var words: [OpaquePointer?] = [
                g_variant_new_string(AccessibilityBus.accessible), g_variant_new_string("Name"),
            ]
            let answer = await call(
                program, path, "org.freedesktop.DBus.Properties", "Get", g_variant_new_tuple(&words, 2))
            guard let answer else { return "" }
            defer { g_variant_unref(answer) }
            guard let boxed = g_variant_get_child_value(answer, 0) else { return "" }
            defer { g_variant_unref(boxed) }
            return AccessibilityBus.text(boxed, 0) ?? ""
        }

        private func call(
            _ program: String, _ path: String, _ interface: String, _ method: String, _ words: OpaquePointer? = nil
        ) async -> OpaquePointer? {
            await AccessibilityBus.call(connection, program, path, interface, method, words)
        }

        /// The main loop runs meanwhile, because this very process answers.
        private static func call(
            _ connection: OpaquePointer, _ program: String, _ path: String, _ interface: String, _ method: String,
            _ words: OpaquePointer? = nil
        ) async -> OpaquePointer? {
            final class Answer {
                var continuation: CheckedContinuation<OpaquePointer?, Never>?
            }
            let answer = Answer()
            return await withCheckedContinuation { continuation in
                answer.continuation = continuation
                g_dbus_connection_call(
                    connection, program, path, interface, method, words, nil, GDBusCallFlags(rawValue: 0), 5000, nil,
                    { source, result, context in
                        guard let context, let source else { return }
                        let answer = Unmanaged<Answer>.fromOpaque(context).takeRetainedValue()
                        // The connection itself calls this, with its own answer.
                        nonisolated(unsafe) let value = g_dbus_connection_call_finish(
                            OpaquePointer(source), result, nil)
                        answer.continuation?.resume(returning: value)
                    }, Unmanaged.passRetained(answer).toOpaque())
            }
        }

        private static func text(_ tuple: OpaquePointer, _ index: gsize) -> String? {
            guard let child = g_variant_get_child_value(tuple, index) else { return nil }
            defer { g_variant_unref(child) }
            return g_variant_get_string(child, nil).map { String(cString: $0) }
        }
    }
#endif
