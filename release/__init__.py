"""What makes a release: wheels for every platform, their trial, the folder for Windows, the bill of materials."""
