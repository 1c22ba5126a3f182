"""Just enough shell to see whether a command's exit status can be masked."""

from denominator.packs.lint.shell.masks import Mask, find_masks

__all__ = ["Mask", "find_masks"]
