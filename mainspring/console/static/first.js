// live/first.ts
var [namespace = ""] = location.pathname.replace(/^\/console\/?/, "").split("/").filter((part) => part !== "");
var answers = {};
var place = decodeURIComponent(namespace) || "default";
if (namespace !== "start") {
  answers["whoami"] = fetch("/api/v1/whoami", { cache: "no-store" });
  answers[`${place} overview`] = fetch("/api/v1/overview", { cache: "no-store", headers: { "mainspring-namespace": place } });
}
for (const answer of Object.values(answers)) answer.catch(() => void 0);
globalThis.firstAnswers = answers;
