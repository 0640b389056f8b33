// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

// Ranks the results of the search: pages whose title has the words come first, those for contributors last.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  score: ([page, title, , , score]) => {
    const query = new URLSearchParams(window.location.search).get("q") || "";
    // Without a plural's s, and with the words in the names of conditions.
    const words = query.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 2);
    const inTitle = words.filter((word) => title.toLowerCase().includes(word.replace(/s$/, "")));
    const kind = page.startsWith("internals/") ? -20 : page.startsWith("reference/api/") ? -6 : 0;
    // Of pages that match equally well, the guide comes first. A number such as 4.1 asks for the page on versions.
    const guide = page.startsWith("how-to/") && page !== "how-to/index" ? 3 : 0;
    const versions = /\d\.\d/.test(query) && page === "reference/spark-versions" ? 12 : 0;
    return score + kind + guide + versions + 8 * inTitle.length;
  },
};
