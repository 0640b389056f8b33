// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

// A question is searched for without the words that say nothing about a page.
const asking = "how what when why where which can could do does did get have has i am my me it our we you";
const small = "a an the is are to in on of and";
const ofQuestions = new Set(`${asking} ${small}`.split(" "));
const withoutAsking = (query) =>
  query.split(/\s+/).filter((word) => !ofQuestions.has(word.toLowerCase())).join(" ") || query;
const parseQuery = Search._parseQuery;
Search._parseQuery = (query) => parseQuery(withoutAsking(query));

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
    const asked = stems(withoutAsking(query));
    // All pages of errors have the same headings, such as "Is data lost?".
    const isError = page.startsWith("reference/errors/DELTASOURCE_");
    const inTitle = isError && anchor ? [] : [...stems(title)].filter((stem) => asked.has(stem));
    const repeated = isError && inTitle.length === 0 ? -12 : 0;
    const isLast = page.startsWith("reference/api/") || page === "changelog";
    const kind = page.startsWith("internals/") ? -20 : isLast ? -6 : 0;
    // Of pages that match equally well, the guide comes first. A number such as 4.1 asks for the page on versions.
    const guide = page.startsWith("how-to/") && page !== "how-to/index" ? 3 : 0;
    const versions = /\d\.\d/.test(query) && page === "reference/spark-versions" ? 12 : 0;
    // The name of an option, such as maxFilesPerTrigger, asks for the page on options.
    const options = /^[a-z]+([A-Z][a-z]+)+$/.test(query.trim()) && page === "reference/options" ? 30 : 0;
    return score + kind + repeated + guide + versions + options + 8 * inTitle.length;
  },
};

// Sphinx finds only pages that have all words. In a question of three or more words, pages that lack one of them are
// found, too. They begin with score 0, so they come behind the others unless their titles fit better. If no page has
// all words, or only pages for contributors do, pages that have any of the words are found: rare words count more, and
// pages that have several of them come first.
const withAllWords = Search.performTermsSearch;
Search.performTermsSearch = (words, excluded) => {
  const found = withAllWords(words, excluded);
  const hasGuide = found.some(([page]) => !page.startsWith("internals/"));
  if (words.size < 2 || (hasGuide && words.size < 3)) return found;
  const pages = Search._index.docnames.length;
  const others = new Map();
  for (const word of words) {
    const ofWord = withAllWords(new Set([word]), excluded);
    const weight = Math.log(pages / (ofWord.length + 1));
    for (const result of ofWord) {
      const [page, , , , score] = result;
      const other = others.get(page) || { result, sum: 0, words: 0 };
      others.set(page, { result, sum: other.sum + score * Math.max(weight, 0), words: other.words + 1 });
    }
  }
  const isFound = new Set(found.map(([page]) => page));
  const least = hasGuide ? words.size - 1 : 1;
  const more = [...others].filter(([page, other]) => other.words >= least && !(hasGuide && isFound.has(page)));
  const results = more.map(([, { result, sum }]) => [...result.slice(0, 4), hasGuide ? 0 : sum, ...result.slice(5)]);
  return hasGuide ? [...found, ...results] : results;
};
