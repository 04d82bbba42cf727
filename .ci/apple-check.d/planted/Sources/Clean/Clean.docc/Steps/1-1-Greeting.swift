struct Greeting {
    let name: String
    var text: String { "Hello, \(name)" }
}
