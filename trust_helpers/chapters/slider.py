"""A figure with a slider and a play button that work in a static page, with no network."""

from collections.abc import Sequence
from string import Template
from typing import Any

import numpy as np

__all__ = ["slider_html"]


def slider_html(
    figure: Any,
    draw: Any,
    frames: int,
    dpi: int = 100,
    alt: str = "",
    labels: Sequence[str] | None = None,
    start: int = 0,
) -> str:
    """A figure with a slider and a play button that work in a static page, with no network.

    ``draw(i)`` draws frame i, ``alt`` describes the figure to those who cannot see it, ``labels`` are written beside
    the slider, and ``start`` is the frame shown first. The same frames give the same page, byte for byte; matplotlib's
    own page carries random names.
    """
    import json
    from hashlib import sha256
    from html import escape

    pictures = [_frame(figure, draw, i, dpi) for i in range(frames)]
    texts = list(labels) if labels is not None else [f"{i + 1} of {frames}" for i in range(frames)]
    width = round(figure.get_figwidth() * dpi)
    name = "slider-" + sha256("".join(pictures).encode()).hexdigest()[:12]
    return SLIDER.substitute(
        name=name, alt=escape(alt, quote=True), width=width, first=pictures[start], last=frames - 1,
        start=start, label=escape(texts[start]), pictures=json.dumps(pictures), labels=json.dumps(texts),
    )  # fmt: skip


def _frame(figure: Any, draw: Any, i: int, dpi: int) -> str:
    """Frame i as a small palette image in base64."""
    from base64 import b64encode
    from io import BytesIO

    from PIL import Image

    draw(i)
    figure.set_dpi(dpi)
    figure.canvas.draw()
    pixels = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    buffer = BytesIO()
    pixels.quantize(128).save(buffer, "PNG", optimize=True)
    return b64encode(buffer.getvalue()).decode()


SLIDER = Template("""<div class="slider" id="$name" style="max-width: ${width}px">
<img alt="$alt" src="data:image/png;base64,$first" style="display: block; width: 100%">
<div style="display: flex; align-items: center; gap: 0.6em">
<button type="button" aria-label="Play" style="width: 2.4em">&#9654;</button>
<input type="range" min="0" max="$last" step="1" value="$start" aria-label="Frame" style="flex: 1; min-width: 0">
<output style="white-space: nowrap">$label</output>
</div>
</div>
<script>
setTimeout(function () {
  const pictures = $pictures;
  const labels = $labels;
  const box = document.getElementById("$name");
  const [picture, button, range, label] = ["img", "button", "input", "output"].map((tag) => box.querySelector(tag));
  let timer = null;
  function show(frame) {
    range.value = frame;
    picture.src = "data:image/png;base64," + pictures[frame];
    label.textContent = range.ariaValueText = labels[frame];
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    button.textContent = "\u25b6";
    button.ariaLabel = "Play";
  }
  function step() {
    if (+range.value < pictures.length - 1) show(+range.value + 1);
    else stop();
  }
  function play() {
    if (+range.value === pictures.length - 1) show(0);
    timer = setInterval(step, 150);
    button.textContent = "\u275a\u275a";
    button.ariaLabel = "Pause";
  }
  range.addEventListener("input", function () { stop(); show(+range.value); });
  button.addEventListener("click", function () { if (timer) stop(); else play(); });
}, 0);
</script>
""")
