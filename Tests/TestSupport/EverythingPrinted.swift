import Foundation

/// All that printing, debugging, dumping, reflecting and bridging a value can show, in one text.
package func everythingPrinted(of value: Any) -> String {
    var printer = Printer()
    printer.print(value)
    return printer.text
}

private struct Printer {
    private(set) var text = ""
    /// The objects that were reflected, which may refer to each other in a circle.
    private var objects: Set<ObjectIdentifier> = []

    mutating func print(_ value: Any) {
        text += "\(value)\n" + String(describing: value) + "\n" + String(reflecting: value) + "\n"
        dump(value, to: &text)
        if let error = value as? any Error {
            let bridged = error as NSError
            text += "\(error.localizedDescription) \(bridged) \(bridged.debugDescription) \(bridged.userInfo)"
        }
        reflect(value)
    }

    /// Prints what reflection alone finds: the children of a value that says little about itself.
    private mutating func reflect(_ value: Any) {
        if let data = value as? Data { text += String(decoding: data, as: UTF8.self) }
        if type(of: value) is AnyClass, !objects.insert(ObjectIdentifier(value as AnyObject)).inserted { return }
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror {
            for child in current.children {
                text += "\n\(child.label ?? ""): \(child.value) \(String(reflecting: child.value))"
                reflect(child.value)
            }
            mirror = current.superclassMirror
        }
    }
}
