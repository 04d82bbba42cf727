import PulseBoardKit

@main
enum Main {
    static func main() { PulseBoardLauncher.main() }
}
