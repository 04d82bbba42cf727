@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/task(name:priority:file:line:_:), without the name of the task.
    ///
    /// Not confirmed: that the closure inherits the caller's actor. Pages leave that attribute out.
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View {
        nonisolated(unsafe) let action = action
        return modified("task") { $0.want(0) { Task(priority: priority) { await action() } } }
    }

    /// developer.apple.com/documentation/swiftui/view/task(id:priority:_:)
    nonisolated public func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        // It begins on the main actor, as with SwiftUI, before anything that a later tap causes.
        modified("task") { $0.want($0.changes(of: value)) { Task(priority: priority) { await action() } } }
    }
}

extension RenderContext {
    /// Runs a task while the view around is shown, and another one after a change of the identifier.
    @MainActor fileprivate func want(_ id: Int, _ begin: @escaping @MainActor () -> Task<Void, Never>) {
        host.want(.init(id, begin: begin), at: path)
    }

    /// How often a value has changed since it was first drawn here.
    @MainActor func changes<V: Equatable>(of value: V) -> Int {
        let cell = host.cell(at: path) { StateCell((last: value, count: 0), in: host) }
        if cell.value.last != value { cell.value = (value, cell.value.count + 1) }
        return cell.value.count
    }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/id(_:)
    nonisolated public func id<ID: Hashable>(_ id: ID) -> some View {
        modified("id", id) { $0.path += "#\(id)" }
    }
}
