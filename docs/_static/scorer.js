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
// For each page that has any of the words: how many it has, and the sum of their scores; rare words count more.
const byPage = (words, excluded) => {
  const pages = new Map();
  for (const word of words) {
    const ofWord = withAllWords(new Set([word]), excluded);
    const weight = Math.max(Math.log(Search._index.docnames.length / (ofWord.length + 1)), 0);
    for (const result of ofWord) {
      const [page, , , , score] = result;
      const known = pages.get(page) || { result, count: 0, sum: 0 };
      pages.set(page, { result, count: known.count + 1, sum: known.sum + score * weight });
    }
  }
  return [...pages.values()];
};
const withScore = (result, score) => [...result.slice(0, 4), score, ...result.slice(5)];
Search.performTermsSearch = (words, excluded) => {
  const found = withAllWords(words, excluded);
  if (words.size < 2) return found;
  if (!found.some(([page]) => !page.startsWith("internals/")))
    return byPage(words, excluded).map(({ result, sum }) => withScore(result, sum));
  if (words.size < 3) return found;
  const isFound = new Set(found.map(([page]) => page));
  const lacksOne = ({ result: [page], count }) => count >= words.size - 1 && !isFound.has(page);
  return [...found, ...byPage(words, excluded).filter(lacksOne).map(({ result }) => withScore(result, 0))];
};
