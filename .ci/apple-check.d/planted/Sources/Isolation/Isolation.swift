// Isolation of types and functions.
@MainActor public final class Screen {
    var title = ""
    func show(_ body: @escaping @MainActor () -> Void) { body() }
}

func title(of screen: Screen) -> String { screen.title }  // found: all
func call(_ body: @MainActor () -> Void) { body() }  // found: all
