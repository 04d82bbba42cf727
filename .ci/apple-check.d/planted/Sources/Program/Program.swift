import Foundation
import Synchronization

@main
enum Program {
    static func main() {
        _ = Process()
        _ = Mutex(1)  // found: macOS
    }
}
