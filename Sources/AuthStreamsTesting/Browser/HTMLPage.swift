/// The parts of a page that matter to a person who fills in a form.
struct HTMLPage: Equatable {
    /// The title, white space folded; `nil` if there is none.
    var title: String?
    /// The forms in order.
    var forms: [HTMLForm] = []
    /// Whether a script or the body's `onload` submits a form, as `response_mode=form_post` pages do.
    var submitsItself = false

    init(_ html: String) {
        var element = ""
        // Whether the last form is open.
        var isInForm = false
        for token in HTMLTokenizer(html) {
            switch token {
            case .start(let name, let attributes):
                element = name
                if attributes["onload"].map(Self.submits) == true { submitsItself = true }
                if name == "form" {
                    forms.append(HTMLForm(attributes))
                    isInForm = true
                }
            case .end(let name):
                element = ""
                if name == "form" { isInForm = false }
            case .text(let text):
                if element == "title", title == nil { title = text.folded }
                if element == "script", Self.submits(text) { submitsItself = true }
            }
            if isInForm { forms[forms.count - 1].read(token) }
        }
    }

    private static func submits(_ script: String) -> Bool { script.contains(".submit()") }
}
