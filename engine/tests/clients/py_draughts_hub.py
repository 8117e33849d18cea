"""A whole game of draughts through py-draughts, whose own board is a second referee."""

import os
import stat
import sys
import tempfile
import threading
import time

from loguru import logger

from draughts import StandardBoard
from draughts.engines.hub import HubEngine

logger.remove()
HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = 600


def paced(directory):
    """A program that the package can start, which is the engine behind `paced.py`."""
    path = os.path.join(directory, "engine")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec "{sys.executable}" "{HERE}/paced.py" "{sys.argv[1]}" "$@"\n')
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def play_game(path):
    board = StandardBoard()
    plies = 0
    with HubEngine(path, depth_limit=3, init_timeout=30) as engine:
        assert engine.info.name == "Yardmaster", engine.info
        assert engine.params["variant"].values == ["site", "normal"], engine.params
        assert engine.params["variant"].value == "normal", engine.params
        engine.new_game()
        assert engine.ping()
        while board.legal_moves and not board.is_draw and plies < LONGEST:
            move, score = engine.get_best_move(board, with_evaluation=True)
            assert -100 <= score <= 100
            board.push(move)
            plies += 1
        assert plies < LONGEST, "no end comes"
    print(plies, "plies,", board.result)


def stop_a_search(path):
    with HubEngine(path, time_limit=60, init_timeout=30) as engine:
        threading.Timer(0.3, lambda: engine._send("stop")).start()
        begin = time.monotonic()
        engine.get_best_move(StandardBoard())
        assert time.monotonic() - begin < 10, "a stop takes its time"
        assert engine.ping()


with tempfile.TemporaryDirectory() as directory:
    program = paced(directory)
    play_game(program)
    stop_a_search(program)
