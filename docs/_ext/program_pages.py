"""Every page of the program, in groups: its door, the name of its picture, and what it is for.

`docs/pictures.py` takes the pictures, and the manual shows those that are there. A test compares the table with the
routes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shown:
    """A page: its route, the name of its picture, and what one does there; the end of its address, what to await."""

    door: str
    name: str
    what: str
    more: str = ""
    ready: str = "main"


STUDIED = "#game=toguz&moves=7,7,2,2&ply=4"
EVENT, DESK = "/events/{event_id}", "/events/{event_id}/desk"
GROUPS: dict[str, tuple[Shown, ...]] = {
    "Playing": (
        Shown("/", "home", "watch a board that lives, and begin a game with one tap"),
        Shown("/play", "play", "choose the game, the opponent, the side and the clock"),
        Shown("/friend", "friend", "invite a friend by a link, or play at one device"),
        Shown("/challenge", "challenge", "invite a player by name"),
        Shown("/games/{game_id}", "game", "play; the engine answers here or on the server"),
        Shown("/c/{challenge_id}", "invitation", "send an invitation, or accept it"),
        Shown("/lobby", "lobby", "find an opponent, or offer a game to everybody"),
        Shown("/watch", "watch", "choose a running or finished game to look at"),
        Shown("/games/{game_id}/report", "report", "block the other player, or report them to the operator"),
        Shown("/offline", "offline", "what a browser shows while the network is away"),
    ),
    "Learning": (
        Shown(
            "/analysis",
            "analysis",
            "study a game with the engine",
            "#game=toguz&moves=7,7,2,2&ply=4",
            "#lines li button",
        ),
        Shown("/learn", "learn", "learn a game by doing, and see its rules in one minute"),
        Shown("/learn/{game}/{stop}", "lesson", "answer on the board, and see why it is so"),
        Shown("/learn/{game}/drills", "drills", "practise what has to be seen at once, a minute each"),
        Shown("/puzzle", "puzzle", "solve the puzzle of the day"),
        Shown("/mistakes", "mistakes", "solve your own mistakes"),
        Shown("/puzzles", "puzzles", "choose puzzles by theme"),
        Shown("/class", "class-join", "join a class with the code that a trainer shows"),
        Shown("/class/{class_id}", "class-child", "do the tasks of your class"),
        Shown(
            "/class/{class_id}/screen",
            "class-screen",
            "show a class who is there and what is to do, and ask all at once",
        ),
        Shown("/classes", "classes", "make a class, and find those you have made"),
        Shown("/classes/{class_id}/results", "class-results", "see who has done what, and print it"),
        Shown("/classes/{class_id}", "class", "let children join, give tasks, and see what is done"),
        Shown("/studies", "studies", "make a study of annotated games, or go on with one"),
        Shown("/studies/{study_id}", "study", "read and write the chapters of a study", "", "#chapters [aria-current]"),
        Shown("/studies/device", "study-device", "the same with a study that this device keeps"),
        Shown("/puzzles/{game}", "puzzle-series", "solve puzzles of a theme, or all from the easiest"),
        Shown("/puzzles/{game}/rated", "puzzle-rated", "solve puzzles near your rating, and see its course"),
        Shown("/puzzles/{game}/run", "puzzle-run", "solve as many puzzles as you can in three minutes"),
        Shown("/rules/{game}", "rules", "read the rules of a game"),
        Shown("/levels", "levels", "see how strong the levels are"),
        Shown("/help", "help", "find out what a page can do"),
        Shown("/settings", "settings", "choose colours, board, stones, sounds and how stones are played"),
        Shown("/about", "about", "see what the program is and who runs the site"),
    ),
    "People": (
        Shown("/players", "players", "look at the players of a game by rating"),
        Shown("/player/{name}", "player", "look at one player: ratings and games"),
        Shown("/sign-up", "sign-up", "open an account with a password"),
        Shown("/sign-up/passkey", "sign-up-passkey", "open an account with a passkey"),
        Shown("/sign-in", "sign-in", "sign in"),
        Shown("/recovery", "recovery", "sign in with a recovery code"),
    ),
    "An account": (
        Shown("/account", "account", "everything about your own account"),
        Shown("/account/password", "password", "change the password"),
        Shown("/account/codes", "codes", "make new recovery codes"),
        Shown("/account/passkeys", "passkeys", "add and remove passkeys"),
        Shown("/account/sessions", "sessions", "see where you are signed in, and end it"),
        Shown("/account/tokens", "tokens", "make tokens for programs"),
        Shown("/account/bots", "bots", "open accounts for programs that play"),
        Shown("/account/blocks", "blocks", "see whom you have blocked"),
        Shown("/account/children", "children", "open an account for a child"),
        Shown("/account/children/{key_id}", "child", "look after the account of a child"),
        Shown("/account/data", "data", "download what is stored about you, or delete the account"),
    ),
    "The desk of an event": (
        Shown("/events/new", "event-new", "make an event"),
        Shown("/events/upload", "event-upload", "bring an event from a file"),
        Shown("/events/join", "event-join", "type the code that an organiser has given you"),
        Shown("/events/{event_id}/join/{token}", "event-helper", "accept a role at an event"),
        Shown(DESK, "desk", "see what is to be done"),
        Shown(f"{DESK}/round/{{number}}", "desk-round", "enter results"),
        Shown(f"{DESK}/round/{{number}}/hands", "desk-hands", "pair by hand"),
        Shown(f"{DESK}/pairing", "desk-pairing", "look at the next round before it is published"),
        Shown(f"{DESK}/players", "desk-players", "enter and find players"),
        Shown(f"{DESK}/players/{{player_id}}", "desk-player", "change the entry of one player"),
        Shown(f"{DESK}/players/list", "desk-list", "read a list of entries from a file"),
        Shown(f"{DESK}/check-in", "desk-check-in", "note who is there"),
        Shown(f"{DESK}/teams", "desk-teams", "make teams and set their boards"),
        Shown(f"{DESK}/standings", "desk-standings", "read the table, and why a place is what it is"),
        Shown(f"{DESK}/standings/cross", "desk-cross", "read the cross table"),
        Shown(f"{DESK}/standings/of/{{number}}", "desk-standing", "explain the place of one player"),
        Shown(f"{DESK}/prizes", "desk-prizes", "share the prizes out"),
        Shown(f"{DESK}/warnings", "desk-warnings", "note warnings and rulings"),
        Shown(f"{DESK}/warnings/{{number}}", "desk-warnings-of", "see the warnings of one player"),
        Shown(f"{DESK}/papers", "desk-papers", "print lists, cards and protocols"),
        Shown(f"{DESK}/helpers", "desk-helpers", "give roles to helpers by link or code"),
        Shown(f"{DESK}/officials", "desk-officials", "name the officials who sign"),
        Shown(f"{DESK}/settings", "desk-settings", "change the regulations, and who may read the event"),
        Shown(f"{DESK}/log", "desk-log", "read what every official has done, and undo it"),
        Shown(f"{DESK}/log/{{number}}", "desk-line", "look at one line of the log"),
        Shown(f"{DESK}/check", "desk-check", "have the whole event computed again"),
    ),
    "An event for everybody": (
        Shown("/events", "events", "find an event"),
        Shown("/events/follow", "event-follow", "show events of other sites here"),
        Shown(EVENT, "event", "see how the event stands"),
        Shown(f"{EVENT}/entries", "event-entries", "see who takes part"),
        Shown(f"{EVENT}/rounds/{{number}}", "event-round", "read the pairings and results of a round"),
        Shown(f"{EVENT}/rounds/{{number}}/names", "event-names", "find your board by your name"),
        Shown(f"{EVENT}/rounds/{{number}}/large", "event-large", "read the pairings from far away"),
        Shown(f"{EVENT}/standings", "event-standings", "read the table"),
        Shown(f"{EVENT}/crosstable", "event-cross", "read the cross table"),
        Shown(f"{EVENT}/players/{{number}}", "event-player", "follow one player"),
        Shown(f"{EVENT}/prizes", "event-prizes", "see who wins what"),
        Shown(f"{EVENT}/wall", "event-wall", "choose what a screen in the hall shows"),
        Shown(f"{EVENT}/wall/{{screen}}", "event-screen", "show it"),
    ),
}

WITHOUT = {
    "/games": "leads to the first page",
    "/studies/{study_id}/study.pgn": "a file",
    "/studies/{study_id}/booklet.pdf": "a file",
    "/games/{game_id}/record/{dialect}": "a file",
    "/class/{class_id}/part": "a part of a page",
    "/classes/{class_id}/file": "a file",
    "/classes/{class_id}/certificates": "a file",
    "/class/{class_id}/screen/part": "a part of a page",
    "/class/{class_id}/puzzles/{number}": "the page of puzzles, with those of a task",
    "/games/{game_id}/review": "the analysis board with a finished game",
    "/c/{challenge_id}/picture.png": "a picture by itself",
    "/games/{game_id}/picture.png": "a picture by itself",
    "/games/{game_id}/animation.gif": "a picture by itself",
    "/games/{game_id}/picture.svg": "a picture by itself",
    "/rules/{game}/picture.png": "a picture by itself",
    "/events/{event_id}/desk/players/{player_id}/photo": "a picture by itself",
    "/events/{event_id}/desk/papers/emblem": "a picture by itself",
    "/learn/{game}": "the same for another game",
    "/learn/{game}/first": "a lesson of four boards, on the way to a game",
    "/analysis/boards": "the boards of the other games, for the analysis board",
    "/living-board": "the board of the first page",
    "/living-board/{game}": "the board of the first page",
    "/lobby/list": "a part of the lobby",
    "/watch/list": "a part of the page for watchers",
    "/events/officials": "the ways in for officials",
    "/events/calendar.ics": "a file",
    "/games/waiting": "the parts of pages that say what waits for their reader",
    "/games/next": "leads on to the next game that waits",
    "/events/{event_id}/desk/round/{number}/rows": "a part of the grid of results",
    "/wish": "shown only while signing in has interrupted something",
    "/seat/{token}": "opened by a link that works once",
    "/sw.js": "a script",
    "/healthz": "a word for balancers",
    "/mail/confirm/{token}": "opened by a link in an e-mail",
    "/mail/stop/{token}": "opened by a link in an e-mail",
    "/events/{event_id}/desk/round": "leads to the last round",
    "/events/{event_id}/desk/papers/print": "a file",
    "/events/{event_id}/desk/papers/file": "a file",
    "/events/{event_id}/rounds/{number}/boards/{board}": "as the page of a game",
    "/events/{event_id}/boards/{board}": "leads to the game of that board",
    "/events/{event_id}/games": "exists where games were recorded",
    "/events/{event_id}/medals": "exists where an event has several groups",
    "/events/{event_id}/desk/check-in/groups": "exists where an event has several groups",
    "/events/{event_id}/entries/{order}": "the entries in another order",
    "/events/{event_id}/desk/standings/teams": "the same table for teams",
    "/events/{event_id}/desk/standings/players": "the same table for players of teams",
    "/events/{event_id}/teams": "the same table for teams",
    "/events/{event_id}/teams/{number}": "as the page of a player, for a team",
    "/events/{event_id}/standings/players": "the same table for players of teams",
    "/events/{event_id}/standings/groups/{number}": "the same table for one group",
}
"""Doors that answer with something else than a page of their own."""
