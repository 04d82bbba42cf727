import Clean
import Synchronization
import UIKit

public let flagOfTheApp = flag
@MainActor public func application() -> UIApplication { .shared }
let mutex = Mutex(1)  // found: iOS
let secret = packageSecret  // found: iOS
let text: Int = "text"  // found: iOS
