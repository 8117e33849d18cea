"""Stands between the engine and a client that loses lines that come together: it hands on a line when the
client has taken the one before.

`paced.py PROGRAM ARGUMENT…` runs the program.
"""

import fcntl
import struct
import subprocess
import sys
import termios
import threading
import time

process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def feed():
    for line in sys.stdin.buffer:
        process.stdin.write(line)
        process.stdin.flush()
    process.stdin.close()


def unread():
    """The bytes that the client has not taken yet."""
    return struct.unpack("i", fcntl.ioctl(sys.stdout, termios.FIONREAD, b"\0" * 4))[0]


threading.Thread(target=feed, daemon=True).start()
for line in process.stdout:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
    while unread() > 0:
        time.sleep(0.0001)
sys.exit(process.wait())
