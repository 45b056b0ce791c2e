"""What the whole suite shares: one thread for the arithmetic."""

import torch

# As the app computes. With more, thousands of tiny products wait for each other's threads: on two busy cores test_compare.py took 33 s, now 2.
torch.set_num_threads(1)
