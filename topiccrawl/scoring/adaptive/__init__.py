"""The parts of the strategy ``adaptive``: value of pages, evidence of links, the model on top."""
