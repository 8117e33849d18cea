"""Whole games of all variants through python-chess's `chess.engine`."""

import re
import sys
import time

import chess
import chess.engine

from judge import Deal, Judge

PROGRAM = sys.argv[1]
VARIANTS = ["draughts", "draughts-fmjd", "halma", "banqi", "kalah"]
FIRST = {"draughts": "B", "draughts-fmjd": "W", "halma": "r", "banqi": "-", "kalah": "1,1,6,6,6,0,4/0,6,1,7,1,7,2 s"}
LIMIT = chess.engine.Limit(nodes=300)
LONGEST = 1000
# In banqi there is no reply to expect while a flip may be the answer.
PONDERED = {
    "banqi": "8/1K2r3/2C1h1P1/1p1A3c r - 0 40",
    # Behind the opening book, which tells no replies.
    "kalah": "1,1,6,6,6,0,4/0,6,1,7,1,7,2 s",
}


class Move:
    """A move is its text; a flip is what it showed."""

    def __init__(self, text):
        self.text = text

    def uci(self):
        return self.text

    def __eq__(self, other):
        return isinstance(other, Move) and self.text.lower() == other.text.lower()

    def __hash__(self):
        return hash(self.text.lower())

    def __repr__(self):
        return self.text


class Board:
    """As much of a board as the package asks of one: a position text and the moves since."""

    chess960 = False

    def __init__(self, start, turn=chess.WHITE):
        self.start, self.first, self.move_stack = start, turn, []

    def root(self):
        return type(self)(self.start, self.first)

    def fen(self, **_):
        return self.start

    def copy(self, stack=True):
        copy = self.root()
        copy.move_stack = list(self.move_stack)
        return copy

    @property
    def turn(self):
        """Who moves, in games in which the sides take turns."""
        return self.first if len(self.move_stack) % 2 == 0 else not self.first

    def push(self, move):
        self.move_stack.append(move)

    def pop(self):
        return self.move_stack.pop()

    def parse_uci(self, text):
        return Move(text)

    def push_uci(self, text):
        self.push(Move(text))
        return self.move_stack[-1]

    def __eq__(self, other):
        return (self.start, self.move_stack) == (other.start, other.move_stack)


def board_of(variant, start):
    return type("Board" + variant, (Board,), {"uci_variant": variant})(start)


def legal(standing, move, what):
    """The referee's spelling of a move that the package has turned to lower case."""
    found = [text for text in standing.moves if text.lower() == move.text.lower()]
    assert len(found) == 1, f"{what}: {move} is none of {standing.moves}"
    return found[0]


def play_game(engine, variant, judge):
    """A whole game of the engine against itself. In banqi the referee turns the pieces up."""
    start = judge.standing([]).fen
    board, deal, game = board_of(variant, start), Deal(7), object()
    for _ in range(LONGEST):
        standing = judge.standing([move.uci() for move in board.move_stack], start)
        result = engine.play(board, LIMIT, game=game, info=chess.engine.INFO_SCORE)
        if standing.is_over:
            assert result.move is None, f"{variant}: {result.move} after the end"
            return len(board.move_stack), standing.result
        assert "score" in result.info, result.info
        board.push(Move(deal.event(legal(standing, result.move, variant))))
    raise AssertionError(f"{variant}: no end after {LONGEST} plies")


def analyse(engine, variant, judge):
    """Several lines, and a search without an end that is stopped."""
    start = judge.standing([]).fen
    board = board_of(variant, start)
    lines = engine.analyse(board, chess.engine.Limit(depth=3), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3], lines
    scores = [line["score"].relative.score(mate_score=10**6) for line in lines]
    assert scores == sorted(scores, reverse=True), scores
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3 and "score" in info:
                break
        begin = time.monotonic()
        analysis.stop()
        best = analysis.wait()
    assert time.monotonic() - begin < 5, "a stop takes its time"
    legal(judge.standing([], start), best.move, variant)


def ponder(engine, variant, judge):
    """A player that ponders, against one that sometimes does as expected."""
    start = PONDERED.get(variant) or judge.standing([]).fen
    board, game = board_of(variant, start), object()
    limit = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01)

    def standing():
        return judge.standing([move.uci() for move in board.move_stack], start)

    player, hits, turns = standing().mover(variant), 0, 0
    for number in range(40):
        now = standing()
        if now.is_over or turns == 12:
            break
        if now.mover(variant) != player:
            # A move more of the other side in kalah: it was not pondered on.
            board.push(Move(now.moves[0]))
            continue
        result = engine.play(board, limit, game=game, ponder=True)
        board.push(Move(legal(now, result.move, variant)))
        then = standing()
        if then.is_over or then.mover(variant) == player:
            assert result.ponder is None, f"{variant}: {result} expects nobody's reply"
            continue
        turns += 1
        reply = then.moves[0]
        if result.ponder is not None and number % 3 != 2:
            reply = legal(then, result.ponder, variant)
            hits += 1
            board.push(Move(reply))
            after = standing()
            assert after.is_over or after.mover(variant) == player, f"{variant}: {result}"
        else:
            board.push(Move(reply))
    print(f"{variant}: pondered in {turns} turns, {hits} times as it came")
    assert hits >= 3, f"{variant}: only {hits} replies were expected in {turns} turns"


def main():
    with chess.engine.SimpleEngine.popen_uci(PROGRAM, timeout=30) as engine:
        assert re.fullmatch(r"Yardmaster \d+\.\d+\.\d+", engine.id["name"]), engine.id
        options = engine.options
        assert options["UCI_Variant"].var == VARIANTS, options["UCI_Variant"]
        assert (options["Hash"].min, options["Hash"].max) == (1, 65536)
        engine.configure({"Hash": 8, "Threads": 1, "Clear Hash": None})
        engine.ping()
        for variant in VARIANTS:
            judge = Judge(PROGRAM, variant)
            plies, result = play_game(engine, variant, judge)
            print(f"{variant}: {plies} plies, {result}")
            analyse(engine, variant, judge)
            ponder(engine, variant, judge)
            engine.ping()
            judge.close()


main()
