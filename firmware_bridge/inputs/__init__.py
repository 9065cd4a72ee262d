"""What comes in: device messages and presses on the panel become events and commands of the table."""
