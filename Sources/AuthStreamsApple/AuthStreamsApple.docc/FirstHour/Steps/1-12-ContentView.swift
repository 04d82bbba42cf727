import AuthStreams
import AuthStreamsApple
import SwiftUI

struct ContentView: View {
    var body: some View {
        SignInPicker()
            .padding()
    }
}
