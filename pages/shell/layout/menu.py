"""The pages in reading order, in the groups of the menu, with their icons."""

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
# The page of contents, which is in no group of the menu.
CONTENTS = "contents"
# Page to the next page in reading order.
NEXT = dict(pairwise(chain.from_iterable(MENU.values())))
