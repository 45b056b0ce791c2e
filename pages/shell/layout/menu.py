"""The pages in the order in which they are read, in the groups of the menu, with their icons."""

from itertools import chain, pairwise

MENU = {
    "start": {
        "one_query": "near_me",
        "walkthrough": "route",
        "heads": "view_column",
        "masks": "filter_alt",
        "models": "neurology",
    },
    "understand": {
        "scaling": "square_foot",
        "dropout": "casino",
        "order": "shuffle",
        "positions": "pin_drop",
        "cross_attention": "compare_arrows",
        "backward": "undo",
        "experiments": "science",
        "compare": "compare",
    },
    "deeper": {
        "fewer_keys": "key",
        "one_token": "more_horiz",
        "state": "edit_note",
        "taming": "compress",
        "tiles": "grid_view",
        "costs": "speed",
    },
}
# Not one of them: the page with a picture of each.
CONTENTS = "contents"
# Page to the one that is read after it.
NEXT = dict(pairwise(chain.from_iterable(MENU.values())))
