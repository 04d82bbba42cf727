/// A sequence that always delivers exactly one element.
///
/// Its end needs not be waited for, so that delivery and end can be one step: whoever has seen the result of an attempt
/// can tap again.
@usableFromInline
protocol OneElementSequence {}

extension AuthStream: OneElementSequence {}
extension ResultMapSequence: OneElementSequence where Base: OneElementSequence {}
extension ResultFlatMapSequence: OneElementSequence where Base: OneElementSequence {}
