"""OpenSpiel's banqi as a second referee: whole games, ply by ply the same moves and the same end."""

import random
import re
import subprocess
import sys

import pyspiel

from judge import Judge

PROGRAM = sys.argv[1]
GAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 4
# Its letters for general and soldier are others.
OURS = str.maketrans("GSgs", "KPkp")


def square(row, column):
    return "abcdefgh"[int(column)] + str(4 - int(row))


def our_text(text):
    """`Flip(0,1)`, `E(1,2)-(2,2)` or `E(1,2)x(2,2)`, as the engine writes it."""
    return "".join(square(*place) for place in re.findall(r"\((\d),(\d)\)", text))


class Player:
    """The engine as a player that is told what both players see."""

    def __init__(self):
        self.process = subprocess.Popen([PROGRAM, "--variant", "banqi"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)

    def choose(self, events):
        self.process.stdin.write(f"position startpos moves {' '.join(events)}\ngo nodes 400\n")
        for line in self.process.stdout:
            if line.startswith("bestmove"):
                return line.split()[1]
        raise AssertionError("the engine has gone")


def has_lost_all(state):
    """Whether the mover has no piece left, face up or face down. OpenSpiel lets it flip those of the
    other side as long as there are some; the rules that the engine plays by end the game at once."""
    flips = state.legal_actions()
    if not all(state.action_to_string(action).startswith("Flip") for action in flips):
        return False
    flipped = state.child(flips[0])
    left = [flipped.action_to_string(event).removeprefix("Reveal:")
            for event, _ in flipped.chance_outcomes()]
    board, players = str(state).rsplit("Player:", 1)
    is_red = ("P0=Red" in players) == (state.current_player() == 0)
    pieces = "".join(left) + "".join(re.findall("[A-Za-z]", board))
    return pieces.islower() if is_red else pieces.isupper()


def play_game(seed, judge, player):
    """A game of the engine, on one side or on both, with what OpenSpiel deals."""
    random.seed(seed)
    state = pyspiel.load_game("banqi", {"max_no_progress": 120}).new_initial_state()
    events = []
    while True:
        ours = judge.standing(events)
        if state.is_terminal() or ours.is_over and has_lost_all(state):
            break
        assert not ours.is_over, f"{ours.result} after {' '.join(events)}"
        actions = {our_text(state.action_to_string(action)): action
                   for action in state.legal_actions()}
        assert sorted(actions) == sorted(ours.moves), f"{' '.join(events)}:\n{state}"
        if seed % 2 == 0 or len(events) % 2 == 0:
            move = player.choose(events)
        else:
            move = random.choice(sorted(actions))
        state.apply_action(actions[move])
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes())
            outcome = random.choices(outcomes, chances)[0]
            shown = state.action_to_string(outcome).removeprefix("Reveal:").translate(OURS)
            move += f"={shown}"
            state.apply_action(outcome)
        events.append(move)
    assert ours.is_over, f"OpenSpiel says {state.returns()} after {' '.join(events)}"
    # The first flip's color is the first player's.
    first = "red" if events[0][-1].isupper() else "black"
    second = "black" if first == "red" else "red"
    value = state.returns()[0] if state.is_terminal() else 2 * state.current_player() - 1
    winner = first if value > 0 else second if value < 0 else "draw"
    assert ours.winner == winner, f"{ours.result}, but OpenSpiel says {state.returns()}"
    print(f"{len(events)} plies, {ours.result}")


judge, player = Judge(PROGRAM, "banqi"), Player()
for seed in range(GAMES):
    play_game(seed, judge, player)
judge.close()
player.process.stdin.close()
