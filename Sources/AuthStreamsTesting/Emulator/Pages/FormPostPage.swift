import LoopbackHTTP

/// A page that posts an answer to the redirect URI (OAuth 2.0 Form Post Response Mode): by a script, or by its button
/// if scripts are disabled.
struct FormPostPage {
    let action: String
    let fields: [(name: String, value: String)]

    var response: LoopbackResponse {
        let hidden = fields.map { HTML.hidden($0.name, $0.value) }.joined(separator: "\n")
        var response = LoopbackResponse.html(
            PageStyle.document(
                title: "Continue", accent: "#111",
                body: """
                    <h1>One moment</h1>
                    <p>You are being sent back to the app.</p>
                    <form method="post" action="\(HTML.escape(action))">
                    \(hidden)
                    <button class="primary" type="submit">Continue</button>
                    </form>
                    <script>document.forms[0].submit()</script>
                    """))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
