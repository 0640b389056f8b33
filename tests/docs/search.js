// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

// Searches the built site as its search page does: node search.js SITE QUERY... prints the pages of each query as JSON.
const fs = require("fs");
const vm = require("vm");

const [site, ...queries] = process.argv.slice(2);
const element = () => ({ dataset: {}, classList: {}, appendChild() {}, removeChild() {} });
let query = "";
const page = {
  URLSearchParams,
  SPHINX_HIGHLIGHT_ENABLED: false,
  DOCUMENTATION_OPTIONS: {},
  _: (text) => text,
  _ready: () => {},
  document: { getElementById: element, addEventListener: () => {} },
  localStorage: { getItem: () => null, setItem: () => {} },
  location: {
    get search() {
      return "?q=" + encodeURIComponent(query);
    },
  },
};
page.window = page;
vm.createContext(page);
// In the order of search.html.
for (const script of ["_static/searchtools.js", "_static/language_data.js", "searchindex.js"])
  vm.runInContext(fs.readFileSync(`${site}/${script}`, "utf8"), page);
const found = queries.map((text) => {
  query = page.query = text;
  const results = vm.runInContext("Search._performSearch(...Search._parseQuery(query))", page);
  // The last result is shown first.
  return results.reverse().map(([name]) => name);
});
console.log(JSON.stringify(found));
