// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0
"use strict";
(() => {
  const { data, charts } = JSON.parse(document.getElementById("charts").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    return {
      background: "transparent",
      font: "system-ui, sans-serif",
      view: { stroke: null },
      axis: {
        labelColor: color("--faint"), titleColor: color("--faint"), gridColor: color("--line"),
        domainColor: color("--line"), tickColor: color("--line"), labelFontSize: 11,
        titleFontSize: 11, titleFontWeight: "normal",
      },
      legend: { labelColor: color("--text"), labelFontSize: 12, labelLimit: 0, orient: "top", title: null },
    };
  };
  const draw = () => {
    for (const [id, spec] of Object.entries(charts)) {
      // `ast` interprets expressions, so that the page needs no `unsafe-eval`.
      const options = { mode: "vega-lite", actions: false, renderer: "svg", ast: true };
      vegaEmbed(`#${id}`, { ...spec, datasets: data }, { ...options, config: theme() })
        .catch((error) => { document.getElementById(id).textContent = String(error); });
    }
  };
  dark.addEventListener("change", draw);
  draw();
})();
