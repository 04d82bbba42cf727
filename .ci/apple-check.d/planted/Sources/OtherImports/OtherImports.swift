// A lost guard: on Apple systems it is a part of Foundation.
import FoundationNetworking  // found: all
