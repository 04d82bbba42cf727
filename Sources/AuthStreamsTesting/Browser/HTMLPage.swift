/// The parts of a page that matter to a person who fills in a form.
struct HTMLPage: Equatable {
    /// The title, white space folded; `nil` if there is none.
    var title: String?
    /// The forms in order.
    var forms: [HTMLForm] = []
    /// Whether a script or the body's `onload` submits a form, as `response_mode=form_post` pages do.
    var submitsItself = false

    init(_ html: String) {
        var form: HTMLForm?
        var element = ""
        for token in HTMLTokenizer(html) {
            switch token {
            case .start(let name, let attributes):
                element = name
                if attributes["onload"].map(Self.submits) == true { submitsItself = true }
                if name == "form" {
                    forms += form.map { [$0] } ?? []
                    form = HTMLForm(attributes)
                } else {
                    form?.add(element: name, attributes)
                }
            case .end(let name):
                element = ""
                form?.end(element: name)
                if name == "form", let finished = form {
                    forms.append(finished)
                    form = nil
                }
            case .text(let text):
                if element == "title", title == nil { title = Self.folded(text) }
                if element == "script", Self.submits(text) { submitsItself = true }
                form?.add(text: Self.folded(text))
            }
        }
        forms += form.map { [$0] } ?? []
    }

    private static func submits(_ script: String) -> Bool { script.contains(".submit()") }

    private static func folded(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
