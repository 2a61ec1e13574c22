"""bonmun inside of other people's frameworks: one thin file each, loaded only by those who have the framework."""
