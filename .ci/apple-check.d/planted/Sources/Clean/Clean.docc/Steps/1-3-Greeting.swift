struct Greeting {
    let name: String
    var text: String { "Hi, \(nmae)" }
}
