"""Whole games of draughts through pydraughts, whose own board is a second referee."""

import logging
import sys
import threading
import time

from draughts import Board
from draughts.engine import HubEngine, Limit

PROGRAM = sys.argv[1]
LONGEST = 600
# Clients set parameters that an engine may not have; the package warns of the answer.
logging.disable(logging.WARNING)


def start():
    engine = HubEngine([PROGRAM, "hub"])
    assert engine.id["name"] == "Yardmaster", engine.id
    assert engine.variants == {"normal", "site"}, engine.variants
    assert {"variant", "threads", "tt-size", "ponder"} <= engine.options, engine.options
    engine.configure({"variant": "normal", "tt-size": 18, "ponder": True, "book": False})
    engine.init()
    engine.ping()
    return engine


def play_game(limit, plies_at_most):
    """Plays to the end, or so far."""
    players = [start(), start()]
    board = Board("standard", "startpos")
    plies = 0
    while not board.is_over() and plies < plies_at_most:
        result = players[plies % 2].play(board, limit, ponder=False)
        legal = [move.hub_move for move in board.legal_moves()]
        assert result.move.hub_move in legal, f"{result.move.hub_move} is none of {legal}"
        assert {"depth", "score", "nodes", "time", "nps", "pv"} <= result.info.keys(), result.info
        board.push(result.move)
        plies += 1
    for player in players:
        end(player)
    return plies


def end(engine):
    engine.quit()
    assert engine.p.wait(10) == 0
    engine.p.stdin.close()
    engine.p.stdout.close()


def later(seconds, act):
    timer = threading.Timer(seconds, act)
    timer.start()
    return timer


def stop_and_ponder():
    """A stop in the middle of a search, a ponder hit, and a stop while it ponders."""
    engine = start()
    board = Board("standard", "startpos")
    later(0.2, engine.stop)
    begin = time.monotonic()
    first = engine.play(board, Limit(movetime=60), ponder=False)
    assert time.monotonic() - begin < 10, "a stop takes its time"
    assert first.ponder is not None
    board.push(first.move)
    board.push(first.ponder)
    later(0.2, engine.ponderhit)
    begin = time.monotonic()
    hit = engine.play(board, Limit(time=2, inc=0.1), ponder=True)
    assert 0.15 < time.monotonic() - begin < 10, "an answer before the hit, or late after it"
    board.push(hit.move)
    later(0.2, engine.stop)
    engine.play(board, Limit(depth=1), ponder=True)
    engine.ping()
    end(engine)


whole_game = play_game(Limit(nodes=500), LONGEST)
assert whole_game < LONGEST, "no end comes"
print(whole_game, "plies")
# The package's own rules are slow: a clock needs no whole game.
play_game(Limit(time=1, inc=0.02), 16)
stop_and_ponder()
