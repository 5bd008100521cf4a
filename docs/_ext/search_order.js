// The order of what the search finds: pages for people, then those about the making, then modules and their names. A
// query that looks like code, with a dot or an underline in it, leaves the order as it is. A query in Cyrillic finds
// pages in its letters first.
const query = new URLSearchParams(location.search).get("q") ?? "";
const code = /[a-z][._]\w/i.test(query);
const cyrillic = /\p{Script=Cyrillic}/u.test(query);
const making = /^(?:design|development|releasing|protocol|cli|scale|clauses)$|^tutorials\/contributor$/;
const tongue = (page) => page.match(/\/(ky|kk|ru|tr)(?:\/|$)/)?.[1] ?? "en";
const nearness = cyrillic ? { ky: 10, kk: 10, ru: 10, en: 5, tr: 0 } : { en: 10, tr: 5, ky: 0, kk: 0, ru: 0 };
var Scorer = {
  score([page, , , , score, , kind]) {
    if (code) return score;
    if (kind === "object" || page === "api" || page.startsWith("api/")) return score;
    if (making.test(page)) return score + 40;
    const game = page.startsWith("rules/") && page !== "rules/options" ? 3 : 0;
    return score + 80 + game + nearness[tongue(page)];
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
