"""What tests of Mainspring, and of programs that use it, are built from."""
