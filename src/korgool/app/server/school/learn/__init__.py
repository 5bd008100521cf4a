"""The paths of lessons and the drills: boards as a page needs them, and pages."""
