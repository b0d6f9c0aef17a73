"""`python -m mainspring` is the command line."""

from mainspring.cli.main import main

main()
