"""Files that wish the program ill, generated: databases, workbooks, JSON, lists, pictures."""
