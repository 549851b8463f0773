"""What a collection shows: functions from records to results."""
