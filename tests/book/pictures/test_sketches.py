"""Sketches: boxes and arrows that can be read."""

import pytest

from trust_helpers.book import pictures


@pytest.mark.parametrize("draw", [pictures.draw_which_method_when])
def test_no_box_of_a_sketch_covers_another(ax, draw):
    ax.figure.set_size_inches(6.0, 4.8)
    draw(ax)
    ax.figure.canvas.draw()
    patches = [text.get_bbox_patch() for text in ax.texts if text.get_bbox_patch()]
    boxes = [p.get_window_extent() for p in patches if p.get_edgecolor()[3] > 0]
    assert len(boxes) >= 4
    assert not [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1 :] if a.overlaps(b)]
