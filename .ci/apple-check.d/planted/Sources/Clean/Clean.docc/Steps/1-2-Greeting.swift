struct Greeting {
    let name: String
    var text: String { "Hello, \(nmae)" }  // found: iOS
}
