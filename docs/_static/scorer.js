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

  score: ([page, title, anchor, , score]) => {
    const query = new URLSearchParams(window.location.search).get("q") || "";
    // Whole words without their endings, so that "data" is not in "Databricks"; names of conditions have words, too.
    const stemmer = new Stemmer();
    const words = (text) => text.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 1);
    const stems = (text) => new Set(words(text).map((word) => stemmer.stemWord(word)));
    const asked = stems(query);
    // All pages of errors have the same headings, such as "Is data lost?".
    const isError = page.startsWith("reference/errors/DELTASOURCE_");
    const inTitle = isError && anchor ? [] : [...stems(title)].filter((stem) => asked.has(stem));
    const repeated = isError && inTitle.length === 0 ? -12 : 0;
    const kind = page.startsWith("internals/") ? -20 : page.startsWith("reference/api/") ? -6 : 0;
    // Of pages that match equally well, the guide comes first. A number such as 4.1 asks for the page on versions.
    const guide = page.startsWith("how-to/") && page !== "how-to/index" ? 3 : 0;
    const versions = /\d\.\d/.test(query) && page === "reference/spark-versions" ? 12 : 0;
    // The name of an option, such as maxFilesPerTrigger, asks for the page on options.
    const options = /^[a-z]+([A-Z][a-z]+)+$/.test(query.trim()) && page === "reference/options" ? 30 : 0;
    return score + kind + repeated + guide + versions + options + 8 * inTitle.length;
  },
};

// Sphinx finds only pages that have all words. If none does, except pages for contributors, pages that have any of the
// words are found. Rare words count more, and pages that have several of them come first.
const withAllWords = Search.performTermsSearch;
Search.performTermsSearch = (words, excluded) => {
  const found = withAllWords(words, excluded);
  if (words.size < 2 || found.some(([page]) => !page.startsWith("internals/"))) return found;
  const pages = Search._index.docnames.length;
  const results = new Map();
  for (const word of words) {
    const ofWord = withAllWords(new Set([word]), excluded);
    const weight = Math.log(pages / (ofWord.length + 1));
    for (const result of ofWord) {
      const [page, , , , score] = result;
      const sum = results.get(page) || [...result.slice(0, 4), 0, ...result.slice(5)];
      sum[4] += score * Math.max(weight, 0);
      results.set(page, sum);
    }
  }
  return [...results.values()];
};
