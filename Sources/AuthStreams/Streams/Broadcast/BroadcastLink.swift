/// One place in the chain that all readers of a broadcast share, linked to the next.
///
/// A reader holds the link that it read last; links that no reader holds are freed from the front.
///
/// `@unchecked Sendable`: `position` and `isMark` are written under the lock of the one broadcast that the link belongs
/// to, before ``BroadcastHub/newest`` says that the link is there; readers look at them after that. `next` is written
/// once in the same way, before the position after this one is published, and then stays as it is, with two exceptions:
/// - Marks may be cut off from what follows. Their `next` is read under the broadcast's lock, and taken away by
///   ``detachNext()``.
/// - A link that is being freed has no readers. A mark can still be found then, by the broadcast's weak reference: both
///   sides take the rest of the chain by ``detachNext()``, and one gets it.
@usableFromInline
class BroadcastLink: @unchecked Sendable {
    /// Counts the elements from the start of the broadcast.
    final var position: UInt64 = 0
    /// Whether the broadcast may cut the chain behind this link.
    final var isMark = false
    final var next: BroadcastLink?

    @usableFromInline
    init() {}

    deinit {
        // Freed one by one: a chain of a million links must not recurse through a million deinits.
        var rest = next
        next = nil
        while isKnownUniquelyReferenced(&rest) {
            rest = rest?.detachNext()
        }
    }

    /// The next link, if it is never cut off: `nil` for marks, and for the newest link.
    ///
    /// To be called only when ``BroadcastHub/newest`` is past this link.
    final var nextIfPermanent: BroadcastLink? { isMark ? nil : next }

    /// Removes and returns the next link. Of two callers, one gets it.
    final func detachNext() -> BroadcastLink? {
        guard isMark else { return takeNext() }
        return detaching.withLock { _ in takeNext() }
    }

    private final func takeNext() -> BroadcastLink? {
        defer { next = nil }
        return next
    }
}

/// Serves all chains: it is taken only for marks, one link in thousands. Nothing is released under it.
private let detaching = Lock(())

/// A link with its element. All that is generic about a broadcast, and visible to callers for that reason.
///
/// `@unchecked Sendable`: as ``BroadcastLink``; the element is `Sendable` and never changes.
@usableFromInline
final class BroadcastNode<Element: Sendable>: BroadcastLink, @unchecked Sendable {
    @usableFromInline
    let element: Element

    @inlinable
    init(_ element: Element) {
        self.element = element
        super.init()
    }

    /// The element of a link that is known to have one: any but the first of a broadcast without a present.
    @inlinable
    static func element(in link: BroadcastLink) -> Element {
        // A broadcast of elements of this type makes no other links.
        unsafeDowncast(link, to: BroadcastNode.self).element
    }
}
