"""What a collection shows: functions from records to results.

``overview`` has the kept pages of a topic as columns in memory; the other modules and rooms answer
questions from it.
"""
