import Foundation

/// All that printing, debugging, dumping, reflecting and bridging a value can show, in one text.
func everythingPrinted(of value: Any) -> String {
    var text = "\(value)\n" + String(describing: value) + "\n" + String(reflecting: value) + "\n"
    dump(value, to: &text)
    if let error = value as? any Error {
        let bridged = error as NSError
        text += "\(error.localizedDescription) \(bridged) \(bridged.debugDescription) \(bridged.userInfo)"
    }
    if let data = value as? Data { text += String(decoding: data, as: UTF8.self) }
    var mirror: Mirror? = Mirror(reflecting: value)
    while let current = mirror {
        for child in current.children { text += "\n\(child.label ?? ""): " + everythingPrinted(of: child.value) }
        mirror = current.superclassMirror
    }
    return text
}
