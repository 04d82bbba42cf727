// A lost guard: Linux alone has it.
import Glibc  // found: all
