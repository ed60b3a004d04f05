//! The functions of expressions: the built-in ones and those that the host program registers.
