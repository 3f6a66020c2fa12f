"""The page of the dial: style, drawing and script."""

from string import Template

__all__ = ["PAGE"]

PAGE = Template("""<div class="dial" id="$name">
<style>
.dial { --paper: #fff; --good: #5d3a9b; --bad: #c4c4c4; --trust: #0072b2; --bound: #b84a00; --truth: #000;
  --estimate: #5f5f5f;  max-width: 34rem; margin: 0 auto; text-align: left; }
html[data-theme="dark"] .dial { --paper: #14181e; --good: #a78be6; --bad: #6d6d6d; --trust: #5bb0ee; --bound: #ff9d5c;
  --truth: #fff; --estimate: #b5b5b5; }
.dial svg { display: block; width: 100%; height: auto; overflow: visible; }
.dial svg text { font: 13px sans-serif; fill: currentColor; }
.dial polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.dial .estimate { stroke: var(--estimate); stroke-dasharray: 6 3; }
.dial .guarantee { stroke: var(--bound); }
.dial .truth { stroke: var(--truth); }
.dial .weight { stroke: var(--trust); stroke-width: 3; }
.dial .halo { stroke: var(--paper); stroke-width: 6; }
.dial circle { stroke-width: 2.5; r: 4.5px; fill: currentColor; }
.dial circle.estimate { fill: var(--estimate); stroke-dasharray: none; }
.dial circle.guarantee { fill: var(--bound); }
.dial circle.truth { fill: #fff; }
.dial input { width: 100%; margin: 0.2rem 0; accent-color: var(--trust); }
.dial label { display: block; font-size: 0.9rem; }
.dial dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.2rem, 1fr)); gap: 0.2rem 0.6rem;
  margin: 0.3rem 0 0; }
.dial dl div { border-top: 3px solid currentColor; padding-top: 0.1rem; }
.dial dt { font-weight: normal; font-size: 0.85rem; }
.dial dd { margin: 0; font-size: 1.1rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.dial .of-played { border-color: var(--trust); }
.dial .of-estimate { border-top-style: dashed; border-color: var(--estimate); }
.dial .of-noise { border-color: #56b4e9; }
.dial .of-guarantee { border-color: var(--bound); }
.dial .of-truth { border-color: var(--truth); }
</style>
<svg viewBox="0 0 $width $height" role="img" aria-label="Above, a histogram of the rewards seen with the line of
weights that the mixture gives them. Below, against the radius, the estimated, the guaranteed and the true value of the
mixture, with a cursor at the radius of the dial.">
<path d="$bad" style="fill: var(--bad)"></path><path d="$good" style="fill: var(--good)"></path>
<text x="2" y="12"><tspan style="fill: var(--trust)">line: how often a reward is played</tspan></text>
<text x="2" y="28">grey: bad arms</text><text x="2" y="44" style="fill: var(--good)">violet: good arms</text>
$axis
<polyline class="weight halo" points="$place_line"></polyline><polyline class="weight" points="$place_line"></polyline>
<line x1="0" x2="$width" y1="$zero" y2="$zero" stroke="currentColor" stroke-opacity="0.35"></line>
<polyline class="estimate" points="$curve_estimate"></polyline>
<polyline class="truth" points="$curve_truth"></polyline>
<polyline class="guarantee" points="$curve_guarantee"></polyline>
<line class="cursor" x1="$place_cursor" x2="$place_cursor" y1="152" y2="322" stroke="currentColor"
 stroke-dasharray="2 3"></line>
<circle class="estimate" cx="$place_cursor" cy="$place_estimate"></circle>
<circle class="truth" cx="$place_cursor" cy="$place_truth"></circle>
<circle class="guarantee" cx="$place_cursor" cy="$place_guarantee"></circle>
$ticks
</svg>
<label>radius <output>$word_radius</output> of the largest
<input type="range" min="0" max="$last" step="1" value="$start" aria-label="Radius"
 aria-valuetext="$word_radius of the largest"></label>
<dl>
<div class="of-played"><dt>arms played</dt><dd data-word="played">$word_played</dd></div>
<div class="of-estimate"><dt>estimate</dt><dd data-word="estimate">$word_estimate</dd></div>
<div class="of-noise"><dt>less noise</dt><dd data-word="noise">$word_noise</dd></div>
<div class="of-guarantee"><dt>sure at $confidence</dt><dd data-word="guarantee">$word_guarantee</dd></div>
<div class="of-truth"><dt>truth</dt><dd data-word="truth">$word_truth</dd></div>
</dl>
</div>
<script>
setTimeout(function () {
  const known = $known;
  const box = document.getElementById("$name");
  const find = (what) => box.querySelector(what);
  const range = find("input");
  function show() {
    const words = known.words[range.value], places = known.places[range.value];
    find("output").textContent = words.radius;
    range.setAttribute("aria-valuetext", words.radius + " of the largest");
    for (const word of box.querySelectorAll("dd")) word.textContent = words[word.dataset.word];
    for (const line of box.querySelectorAll(".weight")) line.setAttribute("points", places.line);
    for (const end of ["x1", "x2"]) find(".cursor").setAttribute(end, places.cursor);
    for (const curve of ["estimate", "truth", "guarantee"]) {
      const dot = find("circle." + curve);
      dot.setAttribute("cx", places.cursor);
      dot.setAttribute("cy", places[curve]);
    }
  }
  range.addEventListener("input", show);
}, 0);
</script>
""")
