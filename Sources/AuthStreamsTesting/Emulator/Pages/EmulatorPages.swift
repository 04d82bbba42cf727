import AuthStreams
import Foundation
import LoopbackHTTP

/// The style of the emulator's pages: one card, readable without scripts, on a phone, in dark mode.
enum PageStyle {
    /// Wraps the content of a page.
    ///
    /// - Parameters:
    ///   - title: Plain text.
    ///   - accent: The service's colour.
    ///   - ink: The colour of text on the accent.
    ///   - width: How wide the page is at most.
    ///   - body: HTML, with all received values escaped.
    static func document(
        title: String, accent: String = "#3b5bdb", ink: String = "#fff", width: String = "26rem",
        language: PageLanguage = .english, body: String
    ) -> String {
        """
        <!doctype html>
        <html lang="\(language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(HTML.escape(title))</title>
        <link rel="icon" href="data:,">
        <style>
        :root { color-scheme: light dark; --accent: \(accent); --ink: \(ink);
          --line: light-dark(#6b7280, #9aa3ad); --focus: light-dark(#1a4fc4, #9cc2ff); }
        body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, \(width));
          place-content: center; padding: 1rem; box-sizing: border-box; overflow-wrap: anywhere;
          font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f1f3f5, #16181b); }
        main { box-sizing: border-box; padding: 2rem; border-radius: 1rem;
          background: light-dark(#fff, #22262b); box-shadow: 0 .5rem 2rem #0002; border-top: .4rem solid var(--accent); }
        h1 { margin: 0 0 .25rem; font-size: 1.35rem; } a { color: var(--focus); }
        p { margin: .5rem 0; } .quiet { color: light-dark(#4d4d4d, #c3c6ca); font-size: .875rem; }
        fieldset { border: 0; margin: 1.25rem 0; padding: 0; min-width: 0; } legend { padding: 0; font-weight: 600; }
        label { display: flex; gap: .75rem; align-items: center; padding: .75rem; margin-top: .5rem; cursor: pointer;
          border: 1px solid var(--line); border-radius: .6rem; } label > span { min-width: 0; }
        label:has(:checked) { border-color: var(--focus); box-shadow: 0 0 0 1px var(--focus); }
        .items { padding-left: 1.5rem; } label:not(:has(:checked)) + .items { display: none; }
        label small { display: block; opacity: .7; } input:not([type]) { min-width: 0; flex: 1; font: inherit; }
        button { width: 100%; padding: .8rem; margin-top: .6rem; font: inherit; font-weight: 600; cursor: pointer;
          border: 1px solid var(--line); border-radius: .6rem; background: none; color: inherit; }
        button.primary { background: var(--accent); color: var(--ink); }
        .bad { color: light-dark(#b3261e, #ffb4ab); } .copy { user-select: all; white-space: pre-wrap; }
        section { margin-top: 1.5rem; } ul { padding-left: 1.25rem; } dl { margin: .5rem 0; } dd { margin: 0 0 .25rem 1rem; }
        nav a { margin-right: .75rem; } summary { cursor: pointer; } h2 { font-size: 1.1rem; } h3 { font-size: 1rem; }
        .mismatch { border-left: .25rem solid var(--line); padding-left: .75rem; }
        .sequence { list-style: none; padding: 0; } .sequence li { display: grid; margin: .4rem 0;
          grid-template-columns: repeat(var(--lanes), minmax(0, 1fr)); } .sequence .hop { grid-column: 1 / -1; }
        .names span { grid-column: span 2; text-align: center; font-weight: 600; }
        .arrow { position: relative; height: .6rem; border-bottom: 2px solid var(--line); }
        .arrow::after { content: ""; position: absolute; bottom: -.4rem; border: .35rem solid transparent; }
        .right::after { right: 0; border-left-color: var(--line); border-right: 0; }
        .left::after { left: 0; border-right-color: var(--line); border-left: 0; }
        :focus-visible { outline: .2rem solid var(--focus); outline-offset: .15rem; }
        </style>
        </head>
        <body>
        <main>
        \(body)
        </main>
        </body>
        </html>

        """
    }
}

/// HTML output.
enum HTML {
    /// Returns the text as content or as a quoted attribute.
    static func escape(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// Returns the text as content of a page, marked with its language if that is another one.
    static func text(_ text: String, on page: PageLanguage = .english) -> String {
        let isKorean = text.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
        let language = isKorean ? PageLanguage.korean : .english
        return language == page ? escape(text) : "<span lang=\"\(language.rawValue)\">\(escape(text))</span>"
    }

    /// Returns a hidden form field.
    static func hidden(_ name: String, _ value: String) -> String {
        #"<input type="hidden" name="\#(escape(name))" value="\#(escape(value))">"#
    }
}

/// The page with the mails and text messages that a service has sent.
enum SentMessagesPage {
    static func response(_ title: String, _ messages: [EmulatedMessage]) -> LoopbackResponse {
        response(title, messages.map { ("\($0.kind)", $0.recipient, $0.code?.reveal(), $0.link) })
    }

    /// - Parameter items: The messages, the oldest first.
    static func response(
        _ title: String, _ items: [(kind: String, recipient: String, code: String?, link: URL?)]
    ) -> LoopbackResponse {
        let list = items.reversed().map { item in
            let kind = HTML.escape(item.kind)
            let name = item.link.map { #"<a href="\#(HTML.escape($0.absoluteString))">\#(kind)</a>"# } ?? kind
            let code = item.code.map { "<code>\(HTML.escape($0))</code>" } ?? ""
            return "<li>\(name)<br>\(HTML.escape(item.recipient)) \(code)</li>"
        }
        return .html(
            PageStyle.document(
                title: title,
                body: """
                    <h1>\(HTML.escape(title))</h1>
                    <ul>
                    \(list.joined(separator: "\n"))
                    </ul>
                    <p class="quiet">The newest first. None leaves this machine.</p>
                    """)
        ).uncached
    }
}

extension LoopbackResponse {
    /// A page with a message.
    ///
    /// - Parameter code: The service's own code of an error, such as `KOE006`.
    ///
    /// The page of a refusal also has what the request had and what is registered, and the way back.
    ///
    /// - Parameter home: The dashboard.
    static func message(
        _ title: String, _ text: String, code: String? = nil, status: Int = 200, home: String = "/"
    ) -> Self {
        let mismatches = status < 400 ? [] : RequestNotes.current?.content.mismatches ?? []
        if status >= 400 { RequestNotes.add { $0.refusal = [code, text].compactMap(\.self).joined(separator: ": ") } }
        let back =
            #"<p class="quiet">Close this page to go back to the app, or see <a href="\#(home)">all requests</a>.</p>"#
        return .html(
            PageStyle.document(
                title: title,
                body: """
                    <h1>\(HTML.escape(title))</h1>
                    <p>\(HTML.text(text))</p>
                    \(code.map { #"<p class="quiet"><code>\#(HTML.escape($0))</code></p>"# } ?? "")
                    \(mismatches.map { MismatchView(mismatch: $0, say: .english).html }.joined(separator: "\n"))
                    \(status < 400 ? "" : back)
                    """), status: status)
    }

    /// A page with an error in the app's configuration. The person can only close it; it is not sent to the app.
    static func error(_ code: String, _ text: String, status: Int = 400) -> Self {
        .message("This app cannot sign you in", text, code: code, status: status)
    }

    /// A page that posts an answer to the redirect URI (OAuth 2.0 Form Post Response Mode): by a script, or by its button
    /// if scripts are disabled.
    static func formPost(_ fields: [(name: String, value: String?)], to uri: String) -> Self {
        let hidden = fields.compactMap { name, value in value.map { HTML.hidden(name, $0) } }
        return .html(
            PageStyle.document(
                title: "Continue", accent: "#111",
                body: """
                    <h1>One moment</h1>
                    <p>You are being sent back to the app.</p>
                    <form method="post" action="\(HTML.escape(uri))">
                    \(hidden.joined(separator: "\n"))
                    <button class="primary" type="submit">Continue</button>
                    </form>
                    <script>document.forms[0].submit()</script>
                    """)
        ).uncached
    }

    /// The response, which no cache keeps.
    var uncached: Self {
        var response = self
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
