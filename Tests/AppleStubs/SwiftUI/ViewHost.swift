public import Foundation
import Observation

/// Shows a view, as a scene does: it keeps the states by their views' places, runs the tasks while their views are shown, and
/// draws again after a change.
@MainActor public final class ViewHost {
    /// What is drawn.
    public private(set) var root = ViewNode("")
    /// How often it was drawn.
    public private(set) var drawings = 0
    /// How many sheets have come up. One whose content changes is the same.
    public internal(set) var sheets = 0
    private var draw: @MainActor (RenderContext) -> [ViewNode] = { _ in [] }
    private var environment: EnvironmentValues
    private var isScheduled = false
    private var cells: [String: AnyObject] = [:]
    private var lives: [String: Life] = [:]
    private var wanted: [(path: String, life: Life)] = []
    private var visited: Set<String> = []
    /// What is presented above the scene and above each sheet, by its place.
    private var presented: [String: String] = [:]
    private var waiting: Set<String> = []
    private var readers: [CheckedContinuation<Void, Never>] = []

    /// What runs while a view is shown.
    final class Life {
        let id: AnyHashable
        let begin: @MainActor () -> Task<Void, Never>?
        let end: @MainActor () -> Void
        var task: Task<Void, Never>?

        init(
            _ id: AnyHashable = 0, begin: @escaping @MainActor () -> Task<Void, Never>? = { nil },
            end: @escaping @MainActor () -> Void = {}
        ) {
            self.id = id
            self.begin = begin
            self.end = end
        }
    }

    public init(_ view: some View, environment: EnvironmentValues = EnvironmentValues()) {
        self.environment = environment
        show(view)
    }

    /// Shows another view, whose states stay where their places stay.
    public func show(_ view: some View) {
        draw = { view.nodes(in: $0) }
        drawNow()
    }

    /// Changes the environment of the whole view, such as the appearance.
    public func change(_ change: (inout EnvironmentValues) -> Void) {
        change(&environment)
        drawNow()
    }

    /// Waits until what is drawn is as wished.
    public func wait(until condition: (ViewNode) -> Bool) async {
        while true {
            if isScheduled { drawNow() }
            if condition(root) { return }
            await withCheckedContinuation { readers.append($0) }
        }
    }

    /// The scene receives a URL.
    public func open(_ url: URL) {
        for handler in root.values("onOpenURL", as: ((URL) -> Void).self) { handler(url) }
    }

    /// The scene receives an activity.
    public func `continue`(_ activity: NSUserActivity) {
        for (type, handler) in root.values("onContinueUserActivity", as: (String, (NSUserActivity) -> Void).self)
        where type == activity.activityType { handler(activity) }
    }

    /// Draws again at the next opportunity.
    func invalidate() {
        guard !isScheduled else { return }
        isScheduled = true
        Task { [weak self] in if let self, isScheduled { drawNow() } }
    }

    /// Draws again, as the system may at any time.
    public func drawNow() {
        (isScheduled, wanted, visited, waiting) = (false, [], [], [])
        drawings += 1
        let nodes = withObservationTracking {
            draw(RenderContext(host: self, environment: environment))
        } onChange: {
            Task { @MainActor [weak self] in self?.invalidate() }
        }
        root = ViewNode("root", nil, nodes)
        cells = cells.filter { visited.contains($0.key) }
        let isGone = presented.filter { !visited.contains($0.value) }
        for (level, _) in isGone { presented[level] = nil }
        if !waiting.isEmpty, !isGone.isEmpty { invalidate() }
        let present = Dictionary(wanted) { first, _ in first }
        for (path, life) in lives where present[path]?.id != life.id {
            lives[path] = nil
            life.task?.cancel()
            life.end()
        }
        for (path, life) in wanted where lives[path] == nil {
            lives[path] = life
            life.task = life.begin()
        }
        let readers = readers
        self.readers = []
        for reader in readers { reader.resume() }
    }

    /// The state at a place.
    func cell<Value>(at path: String, _ initial: () -> StateCell<Value>) -> StateCell<Value> {
        visited.insert(path)
        if let cell = cells[path] as? StateCell<Value> { return cell }
        let cell = initial()
        cells[path] = cell
        return cell
    }

    /// Whether a sheet or a dialog is up: not while another one is.
    func presents(_ place: String, above level: String) -> Bool {
        guard presented[level] ?? place == place else {
            waiting.insert(place)
            return false
        }
        presented[level] = place
        visited.insert(place)
        return true
    }

    func want(_ life: Life, at path: String) { wanted.append((path, life)) }

    func unwant(at path: String) { wanted.removeAll { $0.path == path } }
}

/// A state's value at its place.
final class StateCell<Value> {
    var value: Value
    private weak var host: ViewHost?

    init(_ value: Value, in host: ViewHost) {
        self.value = value
        self.host = host
    }

    func set(_ value: Value) {
        self.value = value
        // States are set on the main actor.
        MainActor.assumeIsolated { host?.invalidate() }
    }
}
