import AuthStreamsApple
import SwiftUI

@main
struct FirstHourApp: App {
    var body: some Scene {
        WindowGroup {
            ContentView()
                .authService(auth)
        }
    }
}
