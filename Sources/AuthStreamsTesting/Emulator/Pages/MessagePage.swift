import LoopbackHTTP

/// A page with a message, mainly for the errors that a service shows and never redirects.
struct MessagePage {
    let title: String
    let message: String
    /// The service's own code, such as `KOE006`.
    var code: String?

    var html: String {
        PageStyle.document(
            title: title,
            body: """
                <h1>\(HTML.escape(title))</h1>
                <p>\(HTML.escape(message))</p>
                \(code.map { #"<p class="quiet"><code>\#(HTML.escape($0))</code></p>"# } ?? "")
                """)
    }

    /// An error in the app's configuration. The person can only close it; it is not sent to the app.
    static func error(_ code: String, _ message: String, status: Int = 400) -> LoopbackResponse {
        .html(MessagePage(title: "This app cannot sign you in", message: message, code: code).html, status: status)
    }
}
