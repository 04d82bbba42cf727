import PulseBoardKit

@main
enum Main {
    @MainActor static func main() { PulseBoard.main() }
}
