import PulseBoardKit

@main
enum Main {
    static func main() { PulseBoard.main() }
}
