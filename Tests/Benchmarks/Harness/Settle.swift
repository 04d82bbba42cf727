/// Gives readers that have received something the time to begin to wait again.
///
/// Only so that all of them are measured in the same condition; nothing is wrong if one is late.
func settle() async {
    for _ in 0..<100 { await Task.yield() }
}
