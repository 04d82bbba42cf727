import AuthStreamsOAuth

/// What a person sees who opens the emulator itself.
enum IndexPage {
    static func response(services: [String]) -> LoopbackResponse {
        let list = services.map { "<li><code>\(HTML.escape($0))</code></li>" }.joined(separator: "\n")
        return .html(
            PageStyle.document(
                title: "AuthStreams emulator",
                body: """
                    <h1>AuthStreams emulator</h1>
                    <p>What production serves at <code>https://HOST/PATH</code> is served here at
                    <code>/HOST/PATH</code>, for these hosts:</p>
                    <ul>
                    \(list)
                    </ul>
                    <p class="quiet">Its keys and secrets are public. Let nothing real trust them.</p>
                    """))
    }
}
