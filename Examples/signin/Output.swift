import AuthStreams
import AuthStreamsOAuth
import Foundation

/// What the program writes: objects for a program, or lines for a person.
struct Output: Sendable {
    let isJSON: Bool
    private let limits = AsyncStream<Duration>.makeStream()

    /// Writes an object, for a program.
    func event(_ name: String, _ members: [String: AuthJSON]) {
        let rest = Self.text(.object(members)).dropFirst()
        if isJSON { write("{\"event\":\"\(name)\"\(rest == "}" ? "" : ",")\(rest)\n", to: .standardOutput) }
    }
    func show(_ state: AuthState) { event("state", ["state": .string("\(state)")]) }
    /// Empties the line of the countdown. Only a terminal has one.
    private var eraser: String { !isJSON && isatty(STDERR_FILENO) == 1 ? "\r\u{1B}[K" : "" }
    /// Writes a result, for a person.
    func line(_ text: String) { if !isJSON { write("\(text)\n", to: .standardOutput) } }
    /// Writes a line about the progress, for a person.
    func note(_ text: String) { if !isJSON { write("\(text)\n", to: .standardError, after: eraser) } }

    static func text(_ json: AuthJSON, _ formatting: JSONEncoder.OutputFormatting = []) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        return (try? encoder.encode(json)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private func write(_ text: String, to file: FileHandle, after prefix: String = "") {
        // A server's text must not control the terminal.
        let controls = CharacterSet.controlCharacters.subtracting(["\n", "\t"])
        let shown = isatty(file.fileDescriptor) == 1 ? text.components(separatedBy: controls).joined() : text
        try? file.write(contentsOf: Data((prefix + shown).utf8))
    }

    func show(_ code: UserCode, for limit: Duration?) {
        let url = code.verificationURI.absoluteString
        event("device", ["userCode": .string(code.code), "verificationURI": .string(url)])
        note("Open \(url) on any device, and enter the code \(code.code)")
        limits.continuation.yield(min(code.expiresIn, limit ?? code.expiresIn))
    }
    func show(_ page: ListenerPage, isOpened: Bool, for limit: Duration) {
        event("authorize", ["url": .string(page.url.absoluteString)])
        note("\(isOpened ? "Opening the browser. If nothing opens, open" : "Open") \(page.url.absoluteString)")
        limits.continuation.yield(limit)
    }

    /// Shows a refresh, and an error that does not end the command.
    func show(_ event: AuthEvent) {
        let kinds: Set = ["refreshSucceeded", "refreshFailed", "refreshRefused", "providerWarning", "revocationFailed"]
        guard kinds.contains(event.kind.rawValue) else { return }
        let (code, message) = (event.failure?.code.rawValue ?? "", event.failure?.explanation ?? "")
        self.event(event.kind.rawValue, code.isEmpty ? [:] : ["code": .string(code), "message": .string(message)])
        note("\(event.kind.rawValue)\(message.isEmpty ? "" : ": ")\(message)")
    }
    /// Shows the time that is left to the person, on a terminal, until the task is cancelled.
    func countDown() async {
        for await limit in limits.stream where !eraser.isEmpty {
            let end = ContinuousClock.now + limit
            while ContinuousClock.now < end, !Task.isCancelled {
                write("Waiting: \(Int((end - .now) / .seconds(1))) s ", to: .standardError, after: eraser)
                try? await Task.sleep(for: .seconds(1))
            }
            write("", to: .standardError, after: eraser)
        }
    }
}

/// Shows the address of a page, and opens it in a browser, if there is to be one.
struct TerminalOpener: ApplicationOpener {
    let browser: SystemBrowserLauncher?
    let output: Output
    let limit: Duration
    func canOpen(_ url: URL) -> Bool { browser?.canOpen(url) ?? true }
    /// Without a browser the address is shown: a terminal is this user's, a file or a pipe may be read by others.
    var hidesURLs: Bool { browser?.hidesURLs ?? (isatty(output.isJSON ? STDOUT_FILENO : STDERR_FILENO) == 1) }
    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? { nil }
    func open(_ page: ListenerPage) async -> ApplicationVisit? {
        output.show(page, isOpened: browser != nil, for: limit)
        guard let browser else { return .unobservable }
        if let visit = await browser.open(page) { return visit }
        page.remark("With --no-browser none is opened; --device needs none here.")
        return page.isFetched ? .unobservable : nil
    }
}
