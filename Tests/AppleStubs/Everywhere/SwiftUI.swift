@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import FoundationNetworking

// As in SwiftUI of Xcode 26: `View` is isolated to the main actor with all that conforms to it; environment keys, property
// wrappers and modifiers are not.

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError() }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { fatalError() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { fatalError() }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { fatalError() }
}

public struct EmptyView: PrimitiveView {
    nonisolated public init() {}
}
public struct TupleView<T>: PrimitiveView {}
public struct _ConditionalContent<TrueContent, FalseContent> {}
extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    public var body: Never { fatalError() }
}
extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

// MARK: State and environment

public protocol DynamicProperty {}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    public init(wrappedValue value: Value) {}
    public init(initialValue value: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
}
extension State: Sendable where Value: Sendable {}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}
extension Environment: Sendable where Value: Sendable {}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { fatalError() }
        set {}
    }
    public var displayScale: CGFloat {
        get { 1 }
        set {}
    }
}

// MARK: Views

public struct Image: PrimitiveView, Equatable {
    public enum Orientation: UInt8, CaseIterable, Hashable {
        case up, upMirrored, down, downMirrored, left, leftMirrored, right, rightMirrored
    }
    public enum ResizingMode: Sendable {
        case tile, stretch
    }
    nonisolated public init(systemName: String) {}
    nonisolated public init(decorative cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up) {}
    nonisolated public func resizable(
        capInsets: EdgeInsets = EdgeInsets(), resizingMode: Image.ResizingMode = .stretch
    ) -> Image { self }
    nonisolated public static func == (left: Image, right: Image) -> Bool { true }
}

public struct EdgeInsets: Equatable, Sendable {
    public init() {}
}

public struct Text: PrimitiveView {
    nonisolated public init(verbatim content: String) {}
    nonisolated public init<S: StringProtocol>(_ content: S) {}
}

public struct Color: PrimitiveView, Hashable, Sendable {
    nonisolated public static var secondary: Color { fatalError() }
    nonisolated public func opacity(_ opacity: Double) -> Color { self }
    nonisolated public static func == (left: Color, right: Color) -> Bool { true }
    nonisolated public func hash(into hasher: inout Hasher) {}
}

public struct Alignment: Equatable, Sendable {
    public static var center: Alignment { Alignment() }
}

public struct ZStack<Content: View>: PrimitiveView {
    nonisolated public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
}

public struct Button<Label: View>: PrimitiveView {
    nonisolated public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

// MARK: Modifiers

public struct Animation: Equatable, Sendable {
    public static func easeIn(duration: TimeInterval) -> Animation { Animation() }
}

public enum ContentMode: Hashable, CaseIterable, Sendable {
    case fit, fill
}

public struct GeometryProxy {
    public var size: CGSize { fatalError() }
}

extension View {
    nonisolated public func onGeometryChange<T: Equatable & Sendable>(
        for type: T.Type, of transform: @escaping @Sendable (GeometryProxy) -> T, action: @escaping (T) -> Void
    ) -> some View { EmptyView() }
    nonisolated public func task<T: Equatable>(
        id: T, name: String? = nil, priority: TaskPriority = .userInitiated, file: String = #fileID, line: Int = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { EmptyView() }
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    nonisolated public func id<ID: Hashable>(_ id: ID) -> some View { EmptyView() }
    nonisolated public func environment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
    ) -> some View { EmptyView() }
    nonisolated public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { EmptyView() }
    nonisolated public func aspectRatio(
        _ aspectRatio: CGFloat? = nil, contentMode: ContentMode
    ) -> some View { EmptyView() }
    nonisolated public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { EmptyView() }
}
