/// Takes a value as if it were needed, so that the work of making it is not optimized away.
@inline(never)
func consume<Value>(_ value: borrowing Value) {}
