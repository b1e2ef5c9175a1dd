// Filled in by the slices that follow.
