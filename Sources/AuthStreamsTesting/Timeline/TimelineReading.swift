/// The function that a timeline's readers call on an iterator.
///
/// Iterators that implement both must behave alike: `for await` calls one or the other, depending on the system's
/// version.
public enum TimelineReading: Sendable, CaseIterable {
    /// `next(isolation:)`, as `for await` does on iOS 18, macOS 15, Linux and later.
    case isolatedNext
    /// `next()`, as `for await` does on older Apple systems.
    case plainNext
}
