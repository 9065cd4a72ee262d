"""What our own code would be with a library in its place: as much of it as can be measured."""
