"""The engine as a referee: what is legal, and how the game stands, by its own protocol."""

import random
import subprocess

PIECES = "K" + 2 * "A" + 2 * "E" + 2 * "R" + 2 * "H" + 2 * "C" + 5 * "P"


class Standing:
    """What `d` says about a position."""

    def __init__(self, lines):
        said = dict(line.split(": ", 1) for line in lines if ": " in line)
        self.fen = said["Fen"]
        self.result = said["Result"]
        moves = next(line for line in lines if line.startswith("Legal moves"))
        self.moves = moves.split(":", 1)[1].split()

    @property
    def is_over(self):
        return self.result != "none"

    def mover(self, variant):
        """Whose turn it is, as the position text says."""
        draughts = variant.startswith("draughts")
        return self.fen[0] if draughts else self.fen.split(" ")[1]

    @property
    def winner(self):
        return self.result.split(",")[0]


class Judge:
    """Knows the rules of a variant."""

    def __init__(self, program, variant):
        self.process = subprocess.Popen(
            [program, "--variant", variant],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def standing(self, moves, start=None):
        """The standing after `moves` from the start position, or from the position text `start`."""
        position = "startpos" if start is None else f"fen {start}"
        line = f"position {position} moves {' '.join(moves)}" if moves else f"position {position}"
        self.process.stdin.write(f"{line}\nd\nisready\n")
        lines = []
        while (line := self.process.stdout.readline().rstrip("\n")) != "readyok":
            assert line or self.process.poll() is None, "the referee has gone"
            lines.append(line)
        errors = [line for line in lines if line.startswith("info string error")]
        assert not errors, f"{errors} after {' '.join(moves)}"
        return Standing(lines)

    def close(self):
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        assert self.process.wait(10) == 0


class Deal:
    """What lies face down in a game of banqi."""

    def __init__(self, seed):
        squares = [file + rank for rank in "1234" for file in "abcdefgh"]
        pieces = list(PIECES + PIECES.lower())
        random.Random(seed).shuffle(pieces)
        self.piece = dict(zip(squares, pieces))

    def event(self, move):
        """What happens when `move` is chosen: a flip shows its piece."""
        return f"{move}={self.piece[move]}" if len(move) == 2 else move
