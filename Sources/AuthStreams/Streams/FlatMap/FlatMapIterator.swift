/// One run of `flatMapFirst`, `flatMapLatest` or `switchToLatest` over its base.
///
/// Copies share it: each element goes to one of them, in the order in which they asked.
public struct FlatMapIterator<Base: AsyncSequence, Inner: AsyncSequence>: AsyncIteratorProtocol
where Inner.Element: Sendable {
    @usableFromInline let owner: FlatMapRunOwner

    @inlinable
    init(run: FlatMapRun) {
        owner = FlatMapRunOwner(run)
    }

    /// The next element of an inner sequence; `nil` at the end, or when the task is cancelled.
    ///
    /// - Throws: What the base or an inner sequence that is read threw, if they can.
    @inlinable public mutating func next() async rethrows -> Inner.Element? {
        element(in: try await owner.run.next().rethrown())
    }

    /// The same on the given actor, which `for await` calls on newer systems.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @inlinable public mutating func next(isolation actor: isolated (any Actor)?) async rethrows -> Inner.Element? {
        element(in: try await owner.run.next().rethrown())
    }

    @inlinable
    func element(in box: FlatMapRun.Element?) -> Inner.Element? {
        box.map { unsafeDowncast($0, to: ElementBox<Inner.Element>.self).element }
    }
}

/// The owner of the run that all copies of an iterator share: the run ends when the last copy is released.
@usableFromInline
final class FlatMapRunOwner: Sendable {
    @usableFromInline let run: FlatMapRun

    @usableFromInline
    init(_ run: FlatMapRun) { self.run = run }

    deinit { run.stop() }
}
