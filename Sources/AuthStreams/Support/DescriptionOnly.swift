/// A type that shows its description alone when it is printed, dumped, interpolated or mirrored, because its content is secret or
/// personal.
package protocol DescriptionOnly: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension DescriptionOnly {
    /// The same as the description.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
