// Compared: nothing. From reports: while a sheet, a dialog or an alert is up, the next one of the same scene waits until it is gone.

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/sheet(item:ondismiss:content:)
    nonisolated public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { SheetView(below: self, item: item, onDismiss: onDismiss, content: content) }
}

/// A view with a sheet above it, while there is an item.
struct SheetView<Below: View, Item: Identifiable, Content: View> {
    let below: Below
    nonisolated(unsafe) let item: Binding<Item?>
    nonisolated(unsafe) let onDismiss: (() -> Void)?
    nonisolated(unsafe) let content: (Item) -> Content
}

extension SheetView: View, PrimitiveView {
    var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        let nodes = below.nodes(in: context.entering("below"))
        let place = context.entering("sheet")
        guard let shown = item.wrappedValue, context.host.presents(place.path, above: context.level) else {
            return nodes
        }
        // A sheet of another item is another one.
        var inside = place
        inside.path += "#\(shown.id)"
        inside.level = inside.path
        let isReplacement = place.changes(of: shown.id) > 0
        let begin = { @MainActor () -> Task<Void, Never>? in
            context.host.sheets += 1
            // The one that this item replaces is closed as by the person.
            if isReplacement { item.wrappedValue = nil }
            return nil
        }
        context.host.want(.init(shown.id as AnyHashable, begin: begin, end: { onDismiss?() }), at: place.path)
        let sheet = ViewNode("sheet", nil, content(shown).nodes(in: inside), action: { item.wrappedValue = nil })
        return nodes + [sheet]
    }
}

extension ViewHost {
    /// What is drawn of the sheet that is on top; `nil` if there is none.
    public var sheet: ViewNode? { root.all("sheet").last }

    /// The person swipes the sheet on top down, or presses the key that closes it.
    public func swipeDown() {
        guard let close = sheet?.action else { fatalError("There is no sheet.") }
        close()
        drawNow()
    }
}
