import LoopbackHTTP

/// The example app's own server, to which the start page's links return: it shows the provider's answer.
struct AppServer: EmulatorService {
    static let host = "app.example"

    let hosts = [AppServer.host]

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard ["GET", "POST"].contains(request.method),
            let link = TryLink.all(for: context.configuration, base: context.base).first(where: {
                request.path == "/\($0.provider)"
            })
        else { return nil }
        let answer = request.query.merged(with: request.form)
        let rows = answer.items.map { item in
            "<li><strong>\(HTML.escape(item.name))</strong><br><code>\(HTML.escape(item.value))</code></li>"
        }
        let isGranted = answer["error"] == nil && answer["code"] != nil
        let title = isGranted ? "\(link.name) said yes" : "\(link.name) said no"
        var response = LoopbackResponse.html(
            PageStyle.document(
                title: title,
                body: """
                    <h1>\(title)</h1>
                    <p>Here an app takes over: it checks <code>state</code> and redeems <code>code</code>.
                    It was sent:</p>
                    <ul>
                    \(rows.joined(separator: "\n"))
                    </ul>
                    <p><a href="/">Back to the start</a></p>
                    """))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
