"""Pages as safe HTML that can be shown in a frame."""
