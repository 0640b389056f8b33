// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0
"use strict";
(() => {
  const { data, charts } = JSON.parse(document.getElementById("charts").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const views = [];

  const theme = () => {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    return {
      background: "transparent",
      font: "system-ui, sans-serif",
      view: { stroke: null },
      axis: {
        labelColor: color("--faint"), labelFontSize: 11, gridColor: color("--line"),
        domainColor: color("--line"), tickColor: color("--line"),
      },
      legend: {
        labelColor: color("--text"), labelFontSize: 12, labelLimit: 0, orient: "top", title: null,
      },
    };
  };

  const draw = () => {
    views.splice(0).forEach((view) => view.finalize());
    const options = {
      mode: "vega-lite", actions: false, renderer: "svg", config: theme(),
      tooltip: { theme: dark.matches ? "dark" : "light" },
      // Expressions are interpreted, so that the page needs no `unsafe-eval`.
      ast: true,
    };
    for (const [id, chart] of Object.entries(charts)) {
      vegaEmbed(`#${id}`, { ...chart, datasets: data }, options)
        .then((view) => views.push(view))
        .catch((error) => { document.getElementById(id).textContent = String(error); });
    }
  };

  dark.addEventListener("change", draw);
  draw();
})();
