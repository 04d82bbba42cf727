/// A form on a page: its target, fields and buttons.
struct HTMLForm: Equatable {
    struct Control: Equatable {
        enum Kind: Equatable {
            /// Sent unchanged: hidden and text fields.
            case field
            /// The checked one of a name is sent.
            case radio(isChecked: Bool)
            case checkbox(isChecked: Bool)
            /// Sent only when it is pressed.
            case button
        }
        var kind: Kind
        var name: String
        var value: String
        /// A button's label.
        var label = ""
    }

    /// The target as written; `nil` or empty means the page's own address.
    var action: String?
    var isPost: Bool
    var controls: [Control] = []
    private var isInsideButton = false
    private var selectName: String?

    init(_ attributes: [String: String]) {
        action = attributes["action"]
        isPost = attributes["method"]?.lowercased() == "post"
    }

    var buttons: [Control] { controls.filter { $0.kind == .button } }

    /// Takes a part of the page from the start of the form on.
    mutating func read(_ token: HTMLTokenizer.Token) {
        switch token {
        case .start(let name, let attributes): add(element: name, attributes)
        case .text(let text): add(text: text.folded)
        case .end("button"): isInsideButton = false
        case .end("select"): selectName = nil
        case .end: break
        }
    }

    private mutating func add(element: String, _ attributes: [String: String]) {
        guard attributes["disabled"] == nil else { return }
        let name = attributes["name"] ?? ""
        let value = attributes["value"] ?? ""
        let isChecked = attributes["checked"] != nil
        switch (element, attributes["type"]?.lowercased()) {
        case ("input", "submit"), ("input", "image"):
            controls.append(Control(kind: .button, name: name, value: value, label: value))
        case ("input", "radio"):
            let value = attributes["value"] ?? "on"
            controls.append(Control(kind: .radio(isChecked: isChecked), name: name, value: value))
        case ("input", "checkbox"):
            let value = attributes["value"] ?? "on"
            controls.append(Control(kind: .checkbox(isChecked: isChecked), name: name, value: value))
        case ("input", "button"), ("input", "reset"), ("button", "button"), ("button", "reset"):
            break
        case ("input", _), ("textarea", _):
            controls.append(Control(kind: .field, name: name, value: value))
        case ("button", _):
            controls.append(Control(kind: .button, name: name, value: value))
            isInsideButton = true
        case ("select", _):
            selectName = name
        case ("option", _):
            guard let selectName else { break }
            // A list sends one of its options, as radios do.
            let kind = Control.Kind.radio(isChecked: attributes["selected"] != nil)
            controls.append(Control(kind: kind, name: selectName, value: value))
        default: break
        }
    }

    private mutating func add(text: String) {
        guard isInsideButton, let last = controls.indices.last, !text.isEmpty else { return }
        controls[last].label += controls[last].label.isEmpty ? text : " " + text
    }

    /// The fields to send when the button is pressed.
    ///
    /// - Parameters:
    ///   - button: The button; `nil` for a form that a script submits.
    ///   - choice: The value to choose among radios and lists; `nil` keeps the checked one, otherwise the first.
    /// - Returns: `nil` if the form has no radio of that value.
    func fields(pressing button: Control?, choosing choice: String?) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        var isChosen = choice == nil
        for control in controls where !control.name.isEmpty {
            switch control.kind {
            case .field: fields.append((control.name, control.value))
            case .checkbox(let isChecked): if isChecked { fields.append((control.name, control.value)) }
            case .button: break
            case .radio:
                guard control == chosenRadio(named: control.name, choosing: choice),
                    !fields.contains(where: { $0.name == control.name })
                else { continue }
                isChosen = isChosen || control.value == choice
                fields.append((control.name, control.value))
            }
        }
        if let button, !button.name.isEmpty { fields.append((button.name, button.value)) }
        return isChosen ? fields : nil
    }

    private func chosenRadio(named name: String, choosing choice: String?) -> Control? {
        let group = controls.filter { control in
            if case .radio = control.kind { control.name == name } else { false }
        }
        return group.first { $0.value == choice } ?? group.first { $0.kind == .radio(isChecked: true) } ?? group.first
    }
}

extension String {
    /// The text with each run of white space as one space.
    var folded: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
