import Screens

@main
enum Main {
    static func main() {
        _ = application()
        let flag: String = flagOfTheApp  // found: iOS
        _ = flag
    }
}
