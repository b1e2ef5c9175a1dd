@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import FoundationNetworking

// As in SwiftUI of Xcode 26: `View` and its conforming types are isolated to the main actor; environment keys, property
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

// Conforms in an extension, which keeps the type as a whole off the main actor.
public struct Image: Equatable, Sendable {
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
extension Image: PrimitiveView {}

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
}

public struct EdgeInsets: Equatable, Sendable {
    public init() {}
}

public struct Text: PrimitiveView {
    nonisolated public init(verbatim content: String) {}
    nonisolated public init(_ key: LocalizedStringKey, comment: StaticString? = nil) {}
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ content: S) {}
}

public struct Color: PrimitiveView, Hashable, Sendable {
    nonisolated public static var secondary: Color { fatalError() }
    nonisolated public static var gray: Color { fatalError() }
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

public struct AnyView: PrimitiveView {
    nonisolated public init<V: View>(_ view: V) {}
}

public struct ProgressView: PrimitiveView {
    nonisolated public init() {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View where Content: View {
    public var body: Never { fatalError() }
}

public struct List<SelectionValue: Hashable, Content: View>: PrimitiveView {
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where SelectionValue == Never, Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
    }
}

// MARK: Modifiers

public struct AnyTransition {
    nonisolated(unsafe) public static let opacity = AnyTransition()
    public static var scale: AnyTransition { AnyTransition() }
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}

public struct _ViewModifier_Content<Modifier>: PrimitiveView {}

public struct ModifiedContent<Content, Modifier> {}
extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    public var body: Never { fatalError() }
}

public protocol Shape: Sendable, View {}
extension Shape {
    public var body: Never { fatalError() }
}
public struct Rectangle: Shape {
    nonisolated public init() {}
}
public struct RoundedRectangle: Shape {
    nonisolated public init(cornerRadius: CGFloat) {}
}
public struct UnevenRoundedRectangle: Shape {
    nonisolated public init() {}
}
public struct Capsule: Shape {
    nonisolated public init() {}
}
public struct Ellipse: Shape {
    nonisolated public init() {}
}
public struct Circle: Shape {
    nonisolated public init() {}
}
public struct Path: Shape {
    nonisolated public init() {}
}
extension Shape where Self == RoundedRectangle {
    public static func rect(cornerRadius: CGFloat) -> RoundedRectangle { RoundedRectangle(cornerRadius: cornerRadius) }
}

public struct Angle: Equatable, Sendable {
    public static func degrees(_ degrees: Double) -> Angle { Angle() }
}
public struct UnitPoint: Equatable, Sendable {
    public static var center: UnitPoint { UnitPoint() }
}
public struct Gradient: Equatable, Sendable {
    public init(colors: [Color]) {}
}
public struct Transaction {
    public init() {}
}
public struct LinearGradient: PrimitiveView {
    nonisolated public init() {}
}
public struct Divider: PrimitiveView {
    nonisolated public init() {}
}
public struct Spacer: PrimitiveView {
    nonisolated public init() {}
}
public struct Label<Title: View, Icon: View>: PrimitiveView {
    nonisolated public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {}
}
public struct Group<Content> {}
extension Group: View where Content: View {
    public var body: Never { fatalError() }
}
extension Group where Content: View {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

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
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { EmptyView() }
    nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { ModifiedContent() }
    nonisolated public func transition(_ t: AnyTransition) -> some View { EmptyView() }
    nonisolated public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View { EmptyView() }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    nonisolated public func id<ID: Hashable>(_ id: ID) -> some View { EmptyView() }
    nonisolated public func environment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
    ) -> some View { EmptyView() }
    nonisolated public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { EmptyView() }
    nonisolated public func aspectRatio(
        _ aspectRatio: CGFloat? = nil, contentMode: ContentMode
    ) -> some View { EmptyView() }
    nonisolated public func scaledToFill() -> some View { EmptyView() }
    nonisolated public func scaledToFit() -> some View { EmptyView() }
    nonisolated public func clipShape<S: Shape>(_ shape: S) -> some View { EmptyView() }
    nonisolated public func frame(
        width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { EmptyView() }
    nonisolated public func accessibilityLabel(_ label: Text) -> some View { EmptyView() }
    nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { EmptyView() }
    @_disfavoredOverload
    nonisolated public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { EmptyView() }
}
