"""The account that a run gives of itself: what it waits for, how and why it ended, its summary."""
