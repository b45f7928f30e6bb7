"""The parts of `rehome_fleet.py`, one idea a file."""
