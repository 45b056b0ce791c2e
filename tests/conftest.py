"""What the whole suite shares: one thread for the arithmetic."""

import torch

# As the app computes. With more, the many tiny products wait for each other: test_compare.py took 33 s, now 2.
torch.set_num_threads(1)
