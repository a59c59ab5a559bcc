"""usage: ctrl_c.py RUNS COMMAND...

Types Ctrl-C in a terminal as soon as COMMAND has RUNS simulations at work. One has to end it all.
"""
import os
import pty
import select
import sys
import time

PATIENCE_S = 60


def descendants(process):
    try:
        with open(f"/proc/{process}/task/{process}/children") as children:
            direct = [int(word) for word in children.read().split()]
    except OSError:
        return []
    return direct + [further for child in direct for further in descendants(child)]


def simulates(process):
    """Whether the process has a device, whose threads watch for signals."""
    try:
        with open(f"/proc/{process}/maps") as maps:
            uses_library = "libcudart" in maps.read()
        return uses_library and len(os.listdir(f"/proc/{process}/task")) > 1
    except OSError:
        return False


def until(condition, terminal):
    """Waits for the condition; what the command prints is read meanwhile."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if condition():
            return True
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                os.read(terminal, 65536)
            except OSError:  # nobody has the terminal any more
                time.sleep(0.05)
    return False


def main():
    runs, command = int(sys.argv[1]), sys.argv[2:]
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(command[0], command)
    if not until(lambda: sum(map(simulates, descendants(process))) >= runs, terminal):
        sys.exit(f"{runs} runs did not begin")
    children = descendants(process)
    os.write(terminal, b"\x03")
    status = []

    def has_ended():
        ended, how = os.waitpid(process, os.WNOHANG)
        if ended:
            status.append(how)
        return bool(ended)

    if not until(has_ended, terminal):
        sys.exit(f"it goes on with {len(descendants(process))} processes")
    left = [child for child in children if simulates(child)]
    if left or os.waitstatus_to_exitcode(status[0]) != 130:
        sys.exit(f"status {status[0]:#x}, left: {left}")


main()
