"""The arbiter's guide: a page for each screen of the desk, in every language."""

from korgool.app.guide.pages import SCREENS, GuideError, GuidePage, guide_page, render

__all__ = ["SCREENS", "GuideError", "GuidePage", "guide_page", "render"]
