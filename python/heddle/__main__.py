"""python3 -m heddle ARGUMENTS...: the heddle command."""
import os
import sys

from .command import HeddleError, find_executable


def main() -> int:
    try:
        executable = find_executable()
    except HeddleError as error:
        print(f"heddle: error: {error}", file=sys.stderr)
        return 2
    os.execv(executable, [executable, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
