"""The rules of each game in every language, with worked examples: the pages of rules, and those of the manual."""

from korgool.app.rulebook.minute import Scene, scenes_of
from korgool.app.rulebook.pages import Example, RulesPage, read_rules, rules_of

__all__ = ["Example", "RulesPage", "Scene", "read_rules", "rules_of", "scenes_of"]
