"""Reports and explanations as text for the terminal and for mails."""
