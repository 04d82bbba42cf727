/// The style of the emulator's pages: one card, readable without scripts, on a phone, in dark mode.
enum PageStyle {
    /// Wraps the content of a page.
    ///
    /// - Parameters:
    ///   - title: Plain text.
    ///   - accent: The service's colour.
    ///   - ink: The colour of text on the accent.
    ///   - body: HTML, with all received values escaped.
    static func document(title: String, accent: String = "#3b5bdb", ink: String = "#fff", body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(HTML.escape(title))</title>
        <style>
        :root { color-scheme: light dark; --accent: \(accent); --ink: \(ink); }
        body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; box-sizing: border-box;
          font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f1f3f5, #16181b); }
        main { width: min(26rem, 100%); box-sizing: border-box; padding: 2rem; border-radius: 1rem;
          background: light-dark(#fff, #22262b); box-shadow: 0 .5rem 2rem #0002; border-top: .4rem solid var(--accent); }
        h1 { margin: 0 0 .25rem; font-size: 1.35rem; }
        p { margin: .5rem 0; } .quiet { opacity: .7; font-size: .875rem; } code { overflow-wrap: anywhere; }
        fieldset { border: 0; margin: 1.25rem 0; padding: 0; } legend { padding: 0; font-weight: 600; }
        label { display: flex; gap: .75rem; align-items: center; padding: .75rem; margin-top: .5rem; cursor: pointer;
          border: 1px solid #8886; border-radius: .6rem; }
        label:has(:checked) { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
        label small { display: block; opacity: .7; }
        button { width: 100%; padding: .8rem; margin-top: .6rem; font: inherit; font-weight: 600; cursor: pointer;
          border: 1px solid #8886; border-radius: .6rem; background: none; color: inherit; }
        button.primary { background: var(--accent); border-color: var(--accent); color: var(--ink); }
        :focus-visible { outline: .2rem solid var(--accent); outline-offset: .15rem; }
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

    /// Returns a hidden form field.
    static func hidden(_ name: String, _ value: String) -> String {
        #"<input type="hidden" name="\#(escape(name))" value="\#(escape(value))">"#
    }
}
